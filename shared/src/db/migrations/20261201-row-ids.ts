import type { Knex } from 'knex';
import { runWithShortLock } from '../online-schema-change.ts';

/** One short transaction for each table, so that none waits for the locks of all. */
export const config = { transaction: false };

const TABLES = [
  'users',
  'customer_profiles',
  'employee_profiles',
  'token_records',
  'sessions',
  'mail_outbox',
  'projects',
  'teams',
  'lead_requests',
  'support_requests',
  'audit_records',
] as const;

// The layout of PostgreSQL 18's uuidv7(): 48 bits of milliseconds, the version, 12 bits of the fraction of a millisecond,
// 62 random bits. A single expression, so that Postgres inlines it.
export const UUID_V7 = `(
  overlay(
    lpad(to_hex((extract(epoch from clock_timestamp()) * 1000000)::bigint * 512 / 125), 15, '0') placing '7' from 13 for 0
  ) || right(replace(gen_random_uuid()::text, '-', ''), 16)
)::uuid`;

/**
 * New rows get ids in UUID version 7, whose order is that of creation: they are appended to the end of an index, instead
 * of to random pages. Existing rows keep their ids.
 */
export const up = async (db: Knex): Promise<void> => {
  const { rows } = await db.raw("select to_regprocedure('pg_catalog.uuidv7()') is not null as is_native");
  await db.raw(`
    create or replace function new_row_id() returns uuid language sql volatile parallel safe
      as $$ select ${rows[0].is_native ? 'uuidv7()' : UUID_V7} $$;
  `);
  for (const table of TABLES)
    await runWithShortLock(db, `alter table ${table} alter column id set default new_row_id()`);
};

export const down = async (db: Knex): Promise<void> => {
  for (const table of TABLES)
    await runWithShortLock(db, `alter table ${table} alter column id set default gen_random_uuid()`);
  await db.raw('drop function new_row_id');
};
