import { queryDatabase } from '@platform/shared/testing/query-database';
import type { OldRowsTable } from '../src/cleanup/remove-rows.ts';

/** Inserts $2 rows of the age $1, which each row tells in some column; `label` reads it. */
type Kind = { insert: string; label: string };

const KINDS: Record<OldRowsTable, Kind> = {
  sessions: {
    insert: `
      with owner as (insert into users (email, password_hash) select gen_random_uuid() || '@example.com', '-' returning id)
      insert into sessions (user_id, fingerprint, ip, updated_at)
      select id, gen_random_uuid(), $1, now() - $1::interval from owner, generate_series(1, $2)`,
    label: 'ip',
  },
  audit_records: {
    insert: `
      insert into audit_records (action, target_type, target_id, request_id, address, created_at)
      select (array['SIGN_IN_FAILED', 'USER_BLOCKED'])[n % 2 + 1], 'USER', $1, 'request-1', '203.0.113.7',
        now() - $1::interval from generate_series(1, $2) n`,
    label: 'target_id',
  },
  lead_requests: {
    insert: `
      insert into lead_requests (name, email, address, created_at)
      select $1, 'ada@example.com', '203.0.113.7', now() - $1::interval from generate_series(1, $2)`,
    label: 'name',
  },
  support_requests: {
    insert: `
      insert into support_requests (subject, email, message, address, created_at)
      select $1, 'ada@example.com', 'Help', '203.0.113.7', now() - $1::interval from generate_series(1, $2)`,
    label: 'subject',
  },
  mail_outbox: {
    insert: `
      insert into mail_outbox (mail, request_id, failed_at, failure)
      select '{}', $1, now() - $1::interval, 'Refused' from generate_series(1, $2)`,
    label: 'request_id',
  },
};

export const TABLES = Object.keys(KINDS) as OldRowsTable[];

/** So many rows of an age that Postgres understands. */
export const insertOldRows = async (
  url: string,
  table: OldRowsTable,
  age: string,
  count = 1,
): Promise<void> => {
  await queryDatabase(url, KINDS[table].insert.replaceAll('$1', `'${age}'`).replace('$2', String(count)));
};

export const agesLeftIn = async (url: string, table: OldRowsTable): Promise<string[]> =>
  (
    await queryDatabase<{ age: string }>(
      url,
      `select distinct ${KINDS[table].label} as age from ${table} order by 1`,
    )
  ).map(({ age }) => age);
