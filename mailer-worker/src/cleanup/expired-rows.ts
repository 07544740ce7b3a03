import { setTimeout as delay } from 'node:timers/promises';
import { type Database, query, type Statement } from '@platform/shared/db/database';
import { numberEvents } from '@platform/shared/platform/audit/number-events';

/** Small enough that a batch holds its locks for only a few milliseconds. */
const BATCH_SIZE = 200;
const MIN_PAUSE_MILLISECONDS = 10;

/** Repeats a delete statement, whose $1 is the batch size, until it returns fewer rows than that. */
const deleteInBatches = async (database: Database, { values, ...statement }: Statement): Promise<number> => {
  for (let deleted = 0; ; ) {
    const started = performance.now();
    const rows = await query(database, { ...statement, values: [BATCH_SIZE, ...values] });
    deleted += rows.length;
    if (rows.length < BATCH_SIZE) return deleted;
    // Pausing for as long as the batch took leaves half of the disk and processor time to sign-ins, on any
    // hardware.
    await delay(Math.max(MIN_PAUSE_MILLISECONDS, performance.now() - started));
  }
};

// Skips rows that a sign-in or refresh has locked; the next cleanup deletes them. Deleting a record changes
// its session through the foreign key, so the session is locked first (sessions-store.ts of auth-service has
// the lock order).
const DELETE_TOKEN_RECORDS = `
  with expired as (
    select t.id from token_records t join sessions s on s.token_id = t.id
    where t.refresh_token_expired_at < now()
    order by t.refresh_token_expired_at limit $1 for update of s, t skip locked
  )
  delete from token_records t using expired where t.id = expired.id returning 1`;

// Records without a session. The statement above leaves few of them, if any.
const DELETE_ORPHANED_TOKEN_RECORDS = `
  with expired as (
    select t.id from token_records t
    where t.refresh_token_expired_at < now() and not exists (select 1 from sessions s where s.token_id = t.id)
    order by t.refresh_token_expired_at limit $1 for update skip locked
  )
  delete from token_records t using expired where t.id = expired.id returning 1`;

/** Deletes token records whose refresh lifetime is over; returns their number. */
export const deleteExpiredTokens = async (database: Database): Promise<number> => {
  const run = (name: string, text: string) => deleteInBatches(database, { name, text, values: [] });
  const records = await run('remove-expired-records', DELETE_TOKEN_RECORDS);
  const orphaned = await run('remove-orphaned-records', DELETE_ORPHANED_TOKEN_RECORDS);
  return records + orphaned;
};

// This statement locks no rows, because the worker lacks the right to. The delete checks the condition again:
// since the selection, the factor may have been enabled or its set-up restarted.
const DELETE_PENDING_FACTORS = `
  with pending as (
    select user_id from totp_factors where enabled_at is null and created_at < now() - interval '1 day' limit $1
  )
  delete from totp_factors t using pending
  where t.user_id = pending.user_id and t.enabled_at is null and t.created_at < now() - interval '1 day' returning 1`;

/** Deletes authenticator apps whose set-up was not confirmed within a day; returns their number. */
export const deletePendingFactors = (database: Database): Promise<number> =>
  deleteInBatches(database, { name: 'remove-pending-factors', text: DELETE_PENDING_FACTORS, values: [] });

// The foreign key also deletes the mail of an invitation that could not be sent.
const DELETE_EXPIRED_INVITATIONS = `
  delete from invitations where id in (select id from invitations where expires_at < now() limit $1) returning 1`;

/** Deletes invitations that nobody accepted in time; returns their number. */
export const deleteExpiredInvitations = (database: Database): Promise<number> =>
  deleteInBatches(database, {
    name: 'remove-expired-invitations',
    text: DELETE_EXPIRED_INVITATIONS,
    values: [],
  });

// Skips rows that an attempt has locked, because attempts lock rows in a different order.
const DELETE_EXPIRED_GUESSES = `
  with expired as (
    select subject, secret from failed_guesses where expires_at <= now()
    order by expires_at limit $1 for update skip locked
  )
  delete from failed_guesses f using expired e where f.subject = e.subject and f.secret = e.secret returning 1`;

/** Deletes the expired failures of networks and of e-mails without an account; returns their number. */
export const deleteExpiredGuesses = (database: Database): Promise<number> =>
  deleteInBatches(database, { name: 'remove-expired-guesses', text: DELETE_EXPIRED_GUESSES, values: [] });

type RetentionRule = {
  /** The indexed column that holds the start of the retention period. */
  since: string;
  condition?: string;
  /**
   * Required for rows that other processes change. Without it, the worker needs no update right on the table.
   */
  lock?: 'for update skip locked';
};

const RETENTION_RULES = {
  // A session without tokens still identifies a known device, which keeps its session id at the next sign-in.
  // A sign-in that reuses the session has locked the row.
  sessions: { since: 'updated_at', condition: 'token_id is null', lock: 'for update skip locked' },
  audit_records: { since: 'created_at' },
  lead_requests: { since: 'created_at' },
  support_requests: { since: 'created_at' },
  // failed_at is null while the mail is pending.
  mail_outbox: { since: 'failed_at', lock: 'for update skip locked' },
  sent_mails: { since: 'recorded_at' },
  // The id of a service's mail stays known as long as the mail waits, has failed or is recorded.
  service_mails: {
    since: 'created_at',
    condition: `not exists (select from mail_outbox o where o.id = service_mails.id)
      and not exists (select from sent_mails s where s.id = service_mails.id)`,
  },
} as const satisfies Record<string, RetentionRule>;

// Deletes in the order of the feed and stops at the first event within the retention period: transactions can
// record events in a different order, and a reader would silently miss an event that is deleted after one that
// stays. Keeps the newest event: it has the highest position and is the cursor of every reader that is up to
// date.
const DELETE_EXPIRED_EVENTS = `
  with oldest as (
    select sequence, position, recorded_at from events
    where position < (select max(position) from events) order by position limit $1
  ), kept as (
    select min(position) as position from oldest where recorded_at >= now() - make_interval(days => $2)
  )
  delete from events t using oldest, kept
  where t.sequence = oldest.sequence and (kept.position is null or oldest.position < kept.position) returning 1`;

export type RetainedTable = keyof typeof RETENTION_RULES | 'events';
export const RETAINED_TABLES = [...Object.keys(RETENTION_RULES), 'events'] as RetainedTable[];

const toDeleteStatement = (table: RetainedTable): string => {
  if (table === 'events') return DELETE_EXPIRED_EVENTS;
  const { since, condition = 'true', lock }: RetentionRule = RETENTION_RULES[table];
  return `
    with old as (
      select id, ${since} from ${table} where ${condition} and ${since} < now() - make_interval(days => $2)
      order by ${since} limit $1 ${lock ?? ''}
    )
    delete from ${table} t using old where t.id = old.id and t.${since} = old.${since} returning 1`;
};

/** Deletes the rows of the table that are older than the retention period; returns their number. */
export const deleteExpiredRows = async (
  database: Database,
  table: RetainedTable,
  days: number,
): Promise<number> => {
  // Number all events first. Otherwise a reader could still find its cursor although events that it has not
  // read were deleted.
  if (table === 'events') while ((await numberEvents(database)) > 0);
  const statement = { name: `remove-old-${table}`, text: toDeleteStatement(table), values: [days] };
  return await deleteInBatches(database, statement);
};
