import type { RequestContext } from '../access/request-context.ts';
import { type Database, onCommit, query } from '../db/database.ts';
import type { Log } from '../log/log.ts';

/** The actions that services record; the administrator API lists the same ones. */
export type AuditAction =
  | 'ACCOUNT_DELETED'
  | 'ACCOUNT_EXPORTED'
  | 'ACCOUNT_IMPORTED'
  | 'ACCOUNT_REGISTERED'
  | 'ADMINISTRATOR_REGISTERED'
  | 'EMAIL_CHANGED'
  | 'EMAIL_CHANGE_REQUESTED'
  | 'EMAIL_VERIFIED'
  | 'IDENTITY_LINKED'
  | 'IDENTITY_UNLINKED'
  | 'IDENTITY_USED'
  | 'PASSKEY_ADDED'
  | 'PASSKEY_REMOVED'
  | 'PASSKEY_RENAMED'
  | 'PASSWORD_CHANGED'
  | 'PASSWORD_RESET'
  | 'PROFILE_CHANGED'
  | 'PROJECT_DELETED'
  | 'PROJECT_EDITED'
  | 'PROJECT_RESTORED'
  | 'PROVIDER_LOGOUT'
  | 'QUEUE_CHANGED'
  | 'RECOVERY_CODES_REPLACED'
  | 'RECOVERY_CODE_USED'
  | 'REFRESH_TOKEN_REUSED'
  | 'ROLE_ASSIGNED'
  | 'ROLE_REMOVED'
  | 'SECOND_FACTOR_RESET'
  | 'SESSIONS_ENDED'
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
  actorId?: string | undefined;
  targetType: AuditTargetType;
  targetId: string;
  /** Further facts; never a secret. */
  details?: Record<string, unknown>;
};

/** The `msg` of the log line. */
const AUDIT_MESSAGE = 'audit';

const FAILURES_PER_HOUR = 20;

const INSERT =
  'insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details)';

const toValues = ({ action, actorId, targetType, targetId, requestId, address, details }: AuditRecord) => [
  action,
  actorId,
  targetType,
  targetId,
  requestId,
  address,
  JSON.stringify(details ?? {}),
];

/**
 * Audit records are inserted in the transaction of the change, so that neither exists without the other. After the commit they are
 * logged without their details, which may contain personal data: the logs are the only copy of the changes that a restored
 * database has lost (docs/backup.md).
 */
export const createAuditLog = (database: Database, log: Pick<Log, 'info'>) => {
  const logAfterCommit = ({ details: _details, ...record }: AuditRecord): void =>
    onCommit(database, () => log.info(record, AUDIT_MESSAGE));

  return {
    add: async (record: AuditRecord): Promise<void> => {
      const text = `${INSERT} values ($1, $2, $3, $4, $5, $6, $7)`;
      await query(database, { name: 'audit-add', text, values: toValues(record) });
      logAfterCommit(record);
    },

    /** As `add`, of many targets in one statement. */
    addAll: async (records: readonly AuditRecord[]): Promise<void> => {
      const rows = records.map(toValues);
      const values = [0, 1, 2, 3, 4, 5, 6].map((column) => rows.map((row) => row[column]));
      const text = `${INSERT} select * from unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[])`;
      await query(database, { text, values });
      for (const record of records) logAfterCommit(record);
    },

    /** For what clients cause without signing in: an hour has a limited number of records of the action and the target. */
    addFailure: async (record: AuditRecord): Promise<void> => {
      const added = await query(database, {
        name: 'audit-add-failure',
        text: `${INSERT} select $1, $2, $3, $4, $5, $6, $7::jsonb where (
            select count(*) from (select 1 from audit_records
              where target_id = $4 and action = $1 and created_at > now() - interval '1 hour' limit $8) existing
          ) < $8 returning 1`,
        values: [...toValues(record), FAILURES_PER_HOUR],
      });
      if (added.length > 0) logAfterCommit(record);
    },

    /** How long until the target has fewer than `limit` records of these actions in the last hour; 0 if it has. */
    secondsUntilBelow: async (
      limit: number,
      targetId: string,
      actions: readonly AuditAction[],
    ): Promise<number> => {
      const [oldest] = await query<{ seconds: number }>(database, {
        name: 'audit-seconds-until-below',
        text: `select ceil(extract(epoch from created_at + interval '1 hour' - now()))::int as seconds from audit_records
          where target_id = $1 and action = any($2) and created_at > now() - interval '1 hour'
          order by created_at desc, id desc offset $3 - 1 limit 1`,
        values: [targetId, actions, limit],
      });
      return oldest?.seconds ?? 0;
    },
  };
};

export type AuditLog = ReturnType<typeof createAuditLog>;
