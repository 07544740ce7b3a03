import type { Metrics } from '../metrics/metrics.ts';
import type { DatabasePool } from './database.ts';

/** How much of its pool a process uses. */
export const registerDatabaseMetrics = (metrics: Metrics, { stats: usage }: DatabasePool): void => {
  metrics.labeledGauge('database_connections', 'Connections to Postgres', 'state', () => {
    const { total, idle } = usage();
    return { busy: total - idle, idle };
  });
  metrics.gauge('database_connections_max', 'The most connections that the pools open', () => usage().max);
  metrics.gauge(
    'database_waiting',
    'Statements and transactions waiting for a connection',
    () => usage().waiting,
  );
};
