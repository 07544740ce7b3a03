import type { Database } from '@platform/shared/db/database';
import type { Log } from '@platform/shared/log/log';
import type { CleanupMetrics } from '../worker-metrics.ts';
import { type OldRowsTable, removeExpiredTokens, removeOldRows } from './remove-rows.ts';

/** How many days the rows of a table are kept; 0 keeps them forever. */
export type Retention = Record<OldRowsTable, number>;

type Dependencies = { database: Database; log: Log; metrics: CleanupMetrics; retention: Retention };

/** What is done at 03:00. */
export const createCleanup = ({ database, log, metrics, retention }: Dependencies) => {
  const removeAll = async (): Promise<void> => {
    const removed = await removeExpiredTokens(database);
    metrics.removed('token_records', removed);
    log.info({ removed }, 'expired tokens removed');
    for (const [table, days] of Object.entries(retention) as [OldRowsTable, number][]) {
      if (days === 0) continue;
      const old = await removeOldRows(database, table, days);
      metrics.removed(table, old);
      log.info({ table, removed: old }, 'old rows removed');
    }
  };
  return async (): Promise<void> => {
    try {
      await removeAll();
      metrics.ran('success');
    } catch (error) {
      metrics.ran('failure');
      throw error;
    }
  };
};
