import type { Knex } from 'knex';
import { createIndexConcurrently, runWithShortLock } from '../src/online-schema-change.ts';

export const config = { transaction: false };

/**
 * Adds an index for searches with many matches: it has the address and the filters in the order of the list of
 * users, so that a page is found without reading the table.
 */
export const up = async (db: Knex): Promise<void> => {
  await createIndexConcurrently(
    db,
    'users_newest_with_email',
    'users (created_at desc, id desc) include (email, is_blocked, is_email_verified)',
  );
  // Each sign-in changes a row, and until the next vacuum, Postgres also reads the page of a changed row.
  await runWithShortLock(db, 'alter table users set (autovacuum_vacuum_scale_factor = 0.02)');
};
