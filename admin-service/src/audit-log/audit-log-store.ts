import type { AuditAction, AuditTargetType } from '@platform/shared/platform/audit/audit-log';
import type { Read } from '../lists/lists.ts';

type AuditEntry = {
  id: string;
  action: AuditAction;
  actorId: string | null;
  targetType: AuditTargetType;
  targetId: string;
  requestId: string;
  address: string;
  details: Record<string, unknown>;
  createdAt: Date;
};

/** `from` is inclusive, `until` is exclusive. */
type AuditFilter = {
  actorId?: string | undefined;
  action?: AuditAction | undefined;
  targetId?: string | undefined;
  from?: Date | undefined;
  until?: Date | undefined;
};

/** The position of a record in the log: its time in microseconds, which Date lacks, and its id. */
export type Position = { at: string; id: string };

/** Each filter has an index in the order of the log. */
const FILTERS = {
  actorId: 'actor_id =',
  action: 'action =',
  targetId: 'target_id =',
  from: 'created_at >=',
  until: 'created_at <',
};

export const createAuditLogStore = (read: Read) => ({
  /** Returns the records before `after`, newest first. */
  list: (filter: AuditFilter, after: Position | undefined, limit: number) => {
    const defined = Object.entries(FILTERS).flatMap(([name, condition]) => {
      const value = filter[name as keyof AuditFilter];
      return value === undefined ? [] : { condition, value };
    });
    const values = [limit, after?.at ?? 'infinity', after?.id ?? null, ...defined.map(({ value }) => value)];
    const conditions = defined.map(({ condition }, index) => `and ${condition} $${index + 4}`);
    // Not a prepared statement, so that Postgres plans each filter for its values.
    return read<AuditEntry & Position>({
      text: `select id, action, actor_id, target_type, target_id, request_id, address, details, created_at,
          to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.USZ') as at
        from audit_records where (created_at, id) < ($2::timestamptz, $3::uuid) ${conditions.join(' ')}
        order by created_at desc, id desc limit $1`,
      values,
    });
  },
});

export type AuditLogStore = ReturnType<typeof createAuditLogStore>;
