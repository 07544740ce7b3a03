import type { Database } from '@platform/shared/db/database';
import type { Log } from '@platform/shared/log/log';
import type { CleanupMetrics } from '../worker-metrics.ts';
import {
  deleteExpiredInvitations,
  deleteExpiredRows,
  deleteExpiredTokens,
  deletePendingFactors,
  type RetainedTable,
} from './expired-rows.ts';

/** Retention periods in days; 0 keeps the rows forever. */
export type Retention = Record<RetainedTable, number>;

type Dependencies = {
  database: Database;
  log: Pick<Log, 'info'>;
  metrics: CleanupMetrics;
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
