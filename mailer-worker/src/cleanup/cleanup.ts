import type { Database } from '@platform/shared/db/database';
import type { Log } from '@platform/shared/log/log';
import type { Metrics } from '@platform/shared/metrics/metrics';
import {
  deleteExpiredInvitations,
  deleteExpiredRows,
  deleteExpiredTokens,
  deletePendingFactors,
  RETAINED_TABLES,
  type RetainedTable,
} from './expired-rows.ts';

/** Retention periods in days; 0 keeps the rows forever. */
export type Retention = Record<RetainedTable, number>;

const CLEANED_TABLES = [
  'token_records',
  'totp_factors',
  'invitations',
  'failed_guesses',
  ...RETAINED_TABLES,
] as const;

/** The last success of any worker is stored in Redis, so it survives restarts. */
export const createCleanupMetrics = (metrics: Metrics) => ({
  countDeleted: metrics.counter('cleanup_deleted_rows_total', 'Rows deleted by the cleanup', {
    table: CLEANED_TABLES,
  }),
  registerLastSuccess: (lastSuccess: () => Promise<number | undefined>): void =>
    metrics.gauge(
      'cleanup_last_success_timestamp_seconds',
      'Time of the last successful cleanup of any worker; absent before the first',
      lastSuccess,
    ),
});

type Dependencies = {
  database: Database;
  log: Pick<Log, 'info'>;
  metrics: ReturnType<typeof createCleanupMetrics>;
  retention: Retention;
};

export const createCleanup =
  ({ database, log, metrics, retention }: Dependencies) =>
  async (): Promise<void> => {
    const tokens = await deleteExpiredTokens(database);
    metrics.countDeleted({ table: 'token_records' }, tokens);
    log.info({ deleted: tokens }, 'expired tokens deleted');
    const factors = await deletePendingFactors(database);
    metrics.countDeleted({ table: 'totp_factors' }, factors);
    log.info({ deleted: factors }, 'unconfirmed second factors deleted');
    const invitations = await deleteExpiredInvitations(database);
    metrics.countDeleted({ table: 'invitations' }, invitations);
    log.info({ deleted: invitations }, 'expired invitations deleted');
    for (const [table, days] of Object.entries(retention) as [RetainedTable, number][]) {
      if (days === 0) continue;
      const rows = await deleteExpiredRows(database, table, days);
      metrics.countDeleted({ table }, rows);
      log.info({ table, deleted: rows }, 'expired rows deleted');
    }
  };
