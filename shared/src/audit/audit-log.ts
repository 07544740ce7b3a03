import type { Database } from '../db/database.ts';
import type { Log } from '../log/log.ts';

/** Identifies the request that causes a change, for audit records and logs. */
export type RequestContext = { requestId: string; address: string };

/** The actions that services record; the administrator API lists the same ones. */
export type AuditAction =
  | 'ACCOUNT_DELETED'
  | 'ACCOUNT_EXPORTED'
  | 'ADMINISTRATOR_REGISTERED'
  | 'EMAIL_CHANGED'
  | 'EMAIL_CHANGE_REQUESTED'
  | 'EMAIL_VERIFIED'
  | 'PASSKEY_ADDED'
  | 'PASSKEY_REMOVED'
  | 'PASSKEY_RENAMED'
  | 'PASSWORD_CHANGED'
  | 'PASSWORD_RESET'
  | 'PROJECT_DELETED'
  | 'PROJECT_EDITED'
  | 'PROJECT_RESTORED'
  | 'QUEUE_CHANGED'
  | 'RECOVERY_CODES_REPLACED'
  | 'RECOVERY_CODE_USED'
  | 'REFRESH_TOKEN_REUSED'
  | 'ROLE_ASSIGNED'
  | 'ROLE_REMOVED'
  | 'SECOND_FACTOR_RESET'
  | 'SIGN_IN_FAILED'
  | 'TEAM_VERIFIED'
  | 'TOTP_DISABLED'
  | 'TOTP_ENABLED'
  | 'USER_BLOCKED'
  | 'USER_UNBLOCKED';

export type AuditTargetType = 'USER' | 'PROJECT' | 'TEAM' | 'QUEUE';

export type AuditRecord = RequestContext & {
  action: AuditAction;
  /** The authenticated user; absent for a request without one. */
  actorId?: string;
  targetType: AuditTargetType;
  targetId: string;
  /** Further facts; never a secret. */
  details?: Record<string, unknown>;
};

/** Called with each record that is inserted. */
export type LogAuditRecord = (record: AuditRecord) => void;

/**
 * Logs a record without its details, which may contain personal data. The logs are the only copy of the changes that a
 * restored database has lost (`npm run restore:secure`).
 */
export const createAuditLogger =
  (log: Log): LogAuditRecord =>
  ({ details, ...record }) =>
    log.info(record, AUDIT_MESSAGE);

/** The `msg` of the log line. */
export const AUDIT_MESSAGE = 'audit';

/** Audit records are inserted in the transaction of the change, so that neither exists without the other. */
export const createAuditLog = (database: Database, logRecord: LogAuditRecord = () => undefined) => ({
  add: async (record: AuditRecord): Promise<void> => {
    const { action, actorId, targetType, targetId, requestId, address, details } = record;
    await database.query({
      name: 'audit-add',
      text: `insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details)
        values ($1, $2, $3, $4, $5, $6, $7)`,
      values: [action, actorId, targetType, targetId, requestId, address, JSON.stringify(details ?? {})],
    });
    logRecord(record);
  },
});

export type AuditLog = ReturnType<typeof createAuditLog>;
