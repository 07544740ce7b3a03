import type { Knex } from 'knex';
import { createIndexConcurrently, runWithShortLock } from '../src/online-schema-change.ts';

export const config = { transaction: false };

/** How colleagues see an administrator: part of the platform role, with which it goes. */
export const up = async (db: Knex): Promise<void> => {
  await runWithShortLock(
    db,
    `alter table user_roles add column if not exists name text;
     alter table user_roles drop constraint if exists user_roles_name_check;
     alter table user_roles add constraint user_roles_name_check check (char_length(name) between 1 and 100) not valid`,
  );
  await db.raw('alter table user_roles validate constraint user_roles_name_check');
  // Searches of the list of users by name ignore accents.
  await createIndexConcurrently(
    db,
    'user_roles_name_keys',
    'user_roles using gin (search_key(name) gin_trgm_ops) where name is not null',
  );
};
