import type { Knex } from 'knex';
import { createIndexConcurrently } from '../src/online-schema-change.ts';
import { runSqlFile } from '../src/sql-files.ts';

export const config = { transaction: false };

const NAME = `coalesce(first_name || ' ', '') || coalesce(last_name, '')`;
const toForm = (last: string): string =>
  `coalesce(name, '') || E'\\n' || email || E'\\n' || coalesce(${last}, '')`;

const TEXTS = {
  customer_profiles: NAME,
  employee_profiles: NAME,
  user_roles: 'name',
  teams: 'name',
  lead_requests: toForm('company'),
  support_requests: toForm('subject'),
};

/**
 * Adds indexes for searches by word, and for those of a phone number. The indexes of search_key stay for the
 * release before, which runs on this schema during an upgrade.
 */
export const up = async (db: Knex): Promise<void> => {
  await runSqlFile(db, 'functions/search_text.sql');
  for (const [table, text] of Object.entries(TEXTS))
    await createIndexConcurrently(
      db,
      `${table}_search_texts`,
      `${table} using gin (search_text(${text}) gin_trgm_ops) ${table === 'user_roles' ? 'where name is not null' : ''}`,
    );
  for (const table of ['customer_profiles', 'employee_profiles'])
    await createIndexConcurrently(
      db,
      `${table}_phone_digits`,
      `${table} using gin (regexp_replace(phone, '[^0-9]', '', 'g') gin_trgm_ops) where phone is not null`,
    );
  // Until then, Postgres does not know how many rows have a word.
  await db.raw(`analyze ${Object.keys(TEXTS).join(', ')}`);
};
