import { LOCK_SUBJECT } from '../../db/advisory-locks.ts';
import { type Database, onCommit, query } from '../../db/database.ts';
import type { RequestContext } from '../../http/request-context.ts';
import type { Log } from '../../log/log.ts';
import type { AuditAction } from './audit-actions.ts';
import { toEvents } from './events.ts';

export type { AuditAction };

export type AuditTargetType = 'USER' | 'PROJECT' | 'TEAM' | 'CONTACT_REQUEST' | 'MAIL' | 'INVITATION';

export type AuditRecord = RequestContext & {
  action: AuditAction;
  /** The authenticated user; absent for a request without one. */
  actorId?: string | undefined;
  /** The other service that made the change, stored in the details. */
  service?: string | undefined;
  /** Both are null at a sign-in as somebody unknown. */
  targetType: AuditTargetType | null;
  targetId: string | null;
  /** Additional facts; must not contain secrets. */
  details?: Record<string, unknown>;
};

/** The `msg` of the log line. */
const AUDIT_MESSAGE = 'audit';

/**
 * The log of the audit lines, which every level has but `silent`: after a restore, they are the only copy of
 * the lost changes.
 */
export const toAuditLines = (log: Log): Log =>
  log.child({}, { level: log.level === 'silent' ? 'silent' : 'info' });

const FAILURES_PER_HOUR = 20;

const INSERT =
  'insert into audit_records (action, actor_id, target_type, target_id, request_id, address, details)';

/**
 * Inserts records and their events in a single statement, which saves a second round trip. The locks last
 * until the commit, so that the sequence numbers of a subject's events follow the order of the commits. A
 * subject that the transaction creates needs no lock.
 */
const INSERT_ALL = `
  with records as (${INSERT} select *
    from unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[])
  ), locked as materialized (
    select count(${LOCK_SUBJECT}) from unnest($8::text[]) subject
  )
  insert into events (type, subject, data, caused_by)
  select event.* from locked, unnest($9::text[], $10::uuid[], $11::jsonb[], $12::text[]) event`;

const toValues = ({ details, service, ...record }: AuditRecord) => [
  record.action,
  record.actorId,
  record.targetType,
  record.targetId,
  record.requestId,
  record.address,
  JSON.stringify({ ...details, service }),
];

/**
 * The lock waits for a deletion of the account that is not committed yet, after which nothing about the account is
 * recorded.
 */
const ADD_FAILURE = `
  with account as (select deleted_at from users where id = ($4::text)::uuid for share)
  ${INSERT} select $1, $2, $3, $4::text, $5, $6, $7::jsonb
  where count_failures($1, $4::text, $7::jsonb ->> 'reason', $8::int) < $8::int
    and not exists (select from account where deleted_at is not null)
  returning 1`;

const COLUMNS = [0, 1, 2, 3, 4, 5, 6];

const toValuesOfAll = (records: readonly AuditRecord[]) => {
  const rows = records.map(toValues);
  // Events are about somebody or something.
  const events = records.flatMap((record) =>
    record.targetId === null ? [] : toEvents({ ...record, targetId: record.targetId }),
  );
  const created = new Set(events.filter(({ type }) => type === 'user.created').map(({ subject }) => subject));
  const others = events.map(({ subject }) => subject).filter((subject) => !created.has(subject));
  return [
    ...COLUMNS.map((column) => rows.map((row) => row[column])),
    [...new Set(others)].sort(),
    events.map(({ type }) => type),
    events.map(({ subject }) => subject),
    events.map(({ data }) => JSON.stringify(data)),
    events.map(({ causedBy }) => causedBy),
  ];
};

/**
 * Audit records are inserted in the transaction of the change, so that neither exists without the other.
 * After the commit they are logged without their details, which may contain personal data. These logs are the
 * only copy of the changes that a restored database has lost (docs/backup.md). Events for other services are
 * derived from the records.
 */
export const createAuditLog = (database: Database, log: Pick<Log, 'info'>) => {
  const logAfterCommit = ({ details: _details, ...record }: AuditRecord): void =>
    onCommit(database, () => log.info(record, AUDIT_MESSAGE));

  const addAll = async (records: readonly AuditRecord[]): Promise<void> => {
    await query(database, { name: 'audit-add', text: INSERT_ALL, values: toValuesOfAll(records) });
    for (const record of records) logAfterCommit(record);
  };

  return {
    /** Also inserts the events that the action causes. */
    add: (record: AuditRecord): Promise<void> => addAll([record]),
    /** Adds several records, for many targets, in one statement. */
    addAll,

    /**
     * For actions that clients can cause without signing in: the number of records per action, target, reason and
     * hour is limited, so that failures which need no secret hide none that needs one. All that have no target count together.
     */
    addFailure: async (record: AuditRecord): Promise<void> => {
      const values = [...toValues(record), FAILURES_PER_HOUR];
      const added = await query(database, { name: 'audit-add-failure', text: ADD_FAILURE, values });
      if (added.length > 0) logAfterCommit(record);
    },

    /** Records a pause once for each client network, however often somebody tries meanwhile. */
    addPausedSignIn: async (record: AuditRecord, network: string, pausedUntil: Date): Promise<void> => {
      const { targetId, requestId, address, details } = record;
      const [row] = await query<{ isAdded: boolean }>(database, {
        name: 'audit-add-paused-sign-in',
        text: 'select add_paused_sign_in($1, $2, $3, $4, $5, $6) as is_added',
        values: [targetId, requestId, address, JSON.stringify(details), network, pausedUntil],
      });
      if (row?.isAdded) logAfterCommit(record);
    },

    /**
     * The seconds until there are fewer than `limit` records of these actions on the target within an hour; 0
     * if there are fewer now.
     */
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
