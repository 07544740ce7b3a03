import type { Database } from '../db/database.ts';

/** The request that caused a change. */
export type RequestContext = { requestId: string; address: string };

/** The actions that services record; the administrator API lists the same ones. */
export type AuditAction =
  | 'ADMINISTRATOR_REGISTERED'
  | 'EMAIL_VERIFIED'
  | 'PASSWORD_CHANGED'
  | 'PASSWORD_RESET'
  | 'PROJECT_DELETED'
  | 'PROJECT_EDITED'
  | 'PROJECT_RESTORED'
  | 'QUEUE_CHANGED'
  | 'REFRESH_TOKEN_REUSED'
  | 'ROLE_ASSIGNED'
  | 'ROLE_REMOVED'
  | 'SIGN_IN_FAILED'
  | 'TEAM_VERIFIED'
  | 'USER_BLOCKED'
  | 'USER_UNBLOCKED';

export type AuditTargetType = 'USER' | 'PROJECT' | 'TEAM' | 'QUEUE';

export type AuditRecord = RequestContext & {
  action: AuditAction;
  /** The user who acted; absent when nobody was signed in. */
  actorId?: string;
  targetType: AuditTargetType;
  targetId: string;
  /** What else a reader will want to know; never a secret. */
  details?: Record<string, unknown>;
};

/** Who did what to whom, written in the transaction of the change itself: neither exists without the other. */
export const createAuditLog = (database: Database) => ({
  add: async (record: AuditRecord): Promise<void> => {
    const { action, actorId, targetType, targetId, requestId, address, details } = record;
    await database.query({
      name: 'audit-add',
      text: `insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details)
        values ($1, $2, $3, $4, $5, $6, $7)`,
      values: [action, actorId, targetType, targetId, requestId, address, JSON.stringify(details ?? {})],
    });
  },
});

export type AuditLog = ReturnType<typeof createAuditLog>;
