import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Statement } from '@platform/shared/db/database';

/** Small enough that a batch's locks last milliseconds. */
const BATCH = 200;
const LEAST_PAUSE_MILLISECONDS = 10;

/** Runs a delete, whose $1 is how many rows it may take and which returns a row for each, until nothing is left. */
export const removeInBatches = async (
  database: Database,
  { name, text, values }: Statement,
): Promise<number> => {
  for (let removed = 0; ; ) {
    const started = performance.now();
    const rows = await database.query({ name, text, values: [BATCH, ...values] });
    removed += rows.length;
    if (rows.length < BATCH) return removed;
    // As long as the batch took: half of the time, sign-ins find the disk and the processor free, however slow those are.
    await delay(Math.max(LEAST_PAUSE_MILLISECONDS, performance.now() - started));
  }
};

// A row that a sign-in or refresh holds just now is left for the next night. The session is locked before its record,
// because the delete changes it (sessions-store.ts of auth-service has the order of locks).
const REMOVE_RECORDS = `
  with expired as (
    select t.id from token_records t join sessions s on s.token_id = t.id
    where t.refresh_token_expired_at < now()
    order by t.refresh_token_expired_at limit $1 for update of s, t skip locked
  )
  delete from token_records t using expired where t.id = expired.id returning 1`;

// What no session points to; few, if any, once the others are gone.
const REMOVE_ORPHANED = `
  with expired as (
    select t.id from token_records t
    where t.refresh_token_expired_at < now() and not exists (select 1 from sessions s where s.token_id = t.id)
    order by t.refresh_token_expired_at limit $1 for update skip locked
  )
  delete from token_records t using expired where t.id = expired.id returning 1`;

const REMOVE_SUPERSEDED = `
  with expired as (
    select refresh_token_id from superseded_refresh_tokens where expired_at < now()
    order by expired_at limit $1 for update skip locked
  )
  delete from superseded_refresh_tokens s using expired where s.refresh_token_id = expired.refresh_token_id returning 1`;

/** Deletes what no token can refer to any more; returns how many token records went. */
export const removeExpiredTokens = async (database: Database): Promise<number> => {
  const remove = (name: string, text: string) => removeInBatches(database, { name, text, values: [] });
  const records = await remove('remove-expired-records', REMOVE_RECORDS);
  const orphaned = await remove('remove-orphaned-records', REMOVE_ORPHANED);
  await remove('remove-expired-superseded', REMOVE_SUPERSEDED);
  return records + orphaned;
};

type Rows = {
  /** The time from which their age counts; indexed. */
  since: string;
  /** Which rows of the table; all unless given. */
  which?: string;
  /** For rows that others change. Without it the worker needs no right to update the table. */
  lock?: 'for update skip locked';
};

const ROWS = {
  // Without tokens a session still makes the device a known one, which keeps its session id, at its next sign-in. A
  // sign-in that is reusing the row has it locked.
  sessions: { since: 'updated_at', which: 'token_id is null', lock: 'for update skip locked' },
  audit_records: { since: 'created_at' },
  lead_requests: { since: 'created_at' },
  support_requests: { since: 'created_at' },
  // Null while the mail is still to be sent.
  mail_outbox: { since: 'failed_at', lock: 'for update skip locked' },
} as const satisfies Record<string, Rows>;

export type OldRowsTable = keyof typeof ROWS;

const removalFrom = (table: OldRowsTable): string => {
  const { since, which = 'true', lock }: Rows = ROWS[table];
  return `
    with old as (
      select id from ${table} where ${which} and ${since} < now() - make_interval(days => $2)
      order by ${since} limit $1 ${lock ?? ''}
    )
    delete from ${table} t using old where t.id = old.id returning 1`;
};

/** Deletes rows that are older than so many days; returns how many. */
export const removeOldRows = (database: Database, table: OldRowsTable, days: number): Promise<number> =>
  removeInBatches(database, { name: `remove-old-${table}`, text: removalFrom(table), values: [days] });
