import type { Database } from '@platform/shared/db/database';
import type { Log } from '@platform/shared/log/log';
import { removeExpiredTokens } from './remove-expired-tokens.ts';
import { removeOldAuditRecords } from './remove-old-audit-records.ts';
import type { CleanupMetrics } from './worker-metrics.ts';

type Dependencies = {
  database: Database;
  log: Log;
  metrics: CleanupMetrics;
  /** Undefined keeps audit records for good. */
  auditRetentionDays: number | undefined;
};

/** What is done at 03:00. */
export const createCleanup = ({ database, log, metrics, auditRetentionDays }: Dependencies) => {
  const removeAll = async (): Promise<void> => {
    const removed = await removeExpiredTokens(database);
    metrics.removed('token_records', removed);
    log.info({ removed }, 'expired tokens removed');
    if (auditRetentionDays === undefined) return;
    const old = await removeOldAuditRecords(database, auditRetentionDays);
    metrics.removed('audit_records', old);
    log.info({ removed: old }, 'old audit records removed');
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
