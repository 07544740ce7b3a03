import type { Knex } from 'knex';
import { createIndexConcurrently } from '../src/online-schema-change.ts';

export const config = { transaction: false };

/** Adds indexes for the list of users: its filter by verified addresses, and each of its orders. */
export const up = async (db: Knex): Promise<void> => {
  await createIndexConcurrently(
    db,
    'users_newest_by_verified',
    'users (is_email_verified, created_at desc, id desc)',
  );
  await createIndexConcurrently(
    db,
    'users_latest_sign_in',
    'users (last_sign_in_at desc nulls last, id desc)',
  );
  await createIndexConcurrently(
    db,
    'users_earliest_sign_in',
    'users (last_sign_in_at asc nulls last, id desc)',
  );
  // The latest block of a user is found by this index.
  await createIndexConcurrently(
    db,
    'audit_records_blocks',
    `audit_records (target_id, created_at desc, id desc) where action = 'USER_BLOCKED'`,
  );
};
