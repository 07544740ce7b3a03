import type { Knex } from 'knex';
import { createIndexConcurrently } from '../src/online-schema-change.ts';
import { runSqlFile } from '../src/sql-files.ts';

export const config = { transaction: false };

const NAME = "coalesce(first_name || ' ', '') || coalesce(last_name, '')";

/** For searches that ignore accents. The other texts of these searches, addresses and slugs, are ASCII. */
export const up = async (db: Knex): Promise<void> => {
  // The functions are created after the migrations.
  await runSqlFile(db, 'functions/search_key.sql');
  for (const [table, text] of [
    ['customer_profiles', NAME],
    ['employee_profiles', NAME],
    ['teams', 'name'],
  ]) {
    await createIndexConcurrently(
      db,
      `${table}_name_keys`,
      `${table} using gin (search_key(${text}) gin_trgm_ops)`,
    );
    // The planner needs statistics of the new expression.
    await db.raw(`analyze ${table}`);
    // A release must not drop what the previous one uses (CONTRIBUTING.md), but no release exists yet.
    await db.raw(`drop index concurrently if exists ${table}_name_trigrams`);
  }
};
