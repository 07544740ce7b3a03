import { queryDatabase } from '@platform/shared/testing/query-database';
import type { RetainedTable } from '../src/cleanup/expired-rows.ts';

/** `insert` adds $2 rows of the age $1; `ageColumn` is the column that holds the age. */
type AgedTable = { insert: string; ageColumn: string };

const AGED_TABLES: Record<RetainedTable, AgedTable> = {
  sessions: {
    insert: `
      with owner as (insert into users (email, password_hash) select gen_random_uuid() || '@example.com', '-' returning id)
      insert into sessions (user_id, fingerprint, ip, updated_at)
      select id, gen_random_uuid(), $1, now() - $1::interval from owner, generate_series(1, $2)`,
    ageColumn: 'ip',
  },
  audit_records: {
    insert: `
      insert into audit_records (action, target_type, target_id, request_id, address, created_at)
      select (array['SIGN_IN_FAILED', 'USER_BLOCKED'])[n % 2 + 1], 'USER', $1, 'request-1', '203.0.113.7',
        now() - $1::interval from generate_series(1, $2) n`,
    ageColumn: 'target_id',
  },
  lead_requests: {
    insert: `
      insert into lead_requests (name, email, created_at)
      select $1, 'ada@example.com', now() - $1::interval from generate_series(1, $2)`,
    ageColumn: 'name',
  },
  support_requests: {
    insert: `
      insert into support_requests (subject, email, message, created_at)
      select $1, 'ada@example.com', 'Help', now() - $1::interval from generate_series(1, $2)`,
    ageColumn: 'subject',
  },
  mail_outbox: {
    insert: `
      insert into mail_outbox (mail, request_id, failed_at, failure)
      select '{}', $1, now() - $1::interval, 'Refused' from generate_series(1, $2)`,
    ageColumn: 'request_id',
  },
  sent_mails: {
    insert: `
      with owner as (insert into users (email, password_hash) select gen_random_uuid() || '@example.com', '-' returning id)
      insert into sent_mails (id, user_id, mail, recipient, state, recorded_at)
      select gen_random_uuid(), id, 'password-changed', $1, 'sent', now() - $1::interval from owner, generate_series(1, $2)`,
    ageColumn: 'recipient',
  },
  service_mails: {
    insert: `
      with owner as (insert into users (email, password_hash) select gen_random_uuid() || '@example.com', '-' returning id)
      insert into service_mails (service, service_mail_id, user_id, digest, created_at)
      select $1, gen_random_uuid(), id, '', now() - $1::interval from owner, generate_series(1, $2)`,
    ageColumn: 'service',
  },
  events: {
    // The positions precede the start of the feed, which thus stays the newest event.
    insert: `
      with start as (insert into events (position, cursor) values (1, gen_random_uuid()) on conflict do nothing)
      insert into events (type, subject, data, recorded_at, position, cursor)
      select 'user.blocked', gen_random_uuid(), jsonb_build_object('age', $1), now() - $1::interval,
        (select coalesce(min(position), 0) from events) - n, gen_random_uuid() from generate_series(1, $2) n`,
    ageColumn: "data ->> 'age'",
  },
};

export const TABLES = Object.keys(AGED_TABLES) as RetainedTable[];

/** Inserts `count` rows; `age` is a Postgres interval. */
export const insertAgedRows = async (
  url: string,
  table: RetainedTable,
  age: string,
  count = 1,
): Promise<void> => {
  await queryDatabase(
    url,
    AGED_TABLES[table].insert.replaceAll('$1', `'${age}'`).replace('$2', String(count)),
  );
};

export const getAgesIn = async (url: string, table: RetainedTable): Promise<string[]> =>
  (
    await queryDatabase<{ age: string | null }>(
      url,
      `select distinct ${AGED_TABLES[table].ageColumn} as age from ${table} order by 1`,
    )
  ).flatMap(({ age }) => age ?? []);
