import type { Knex } from 'knex';
import { createIndexConcurrently } from '../src/online-schema-change.ts';

export const config = { transaction: false };

const FILTERS = 'include (created_at, is_blocked, is_email_verified)';

/**
 * Replaces the indexes of the list of users in the order of sign-ins by some with its filters. When those with a
 * filter come last, such as new users in the order of the earliest sign-in, Postgres reads only the index.
 */
export const up = async (db: Knex): Promise<void> => {
  await createIndexConcurrently(
    db,
    'users_latest_sign_in_with_filters',
    `users (last_sign_in_at desc nulls last, id desc) ${FILTERS}`,
  );
  await createIndexConcurrently(
    db,
    'users_earliest_sign_in_with_filters',
    `users (last_sign_in_at asc nulls last, id desc) ${FILTERS}`,
  );
  await db.raw('drop index concurrently if exists users_latest_sign_in');
  await db.raw('drop index concurrently if exists users_earliest_sign_in');
};
