import type { Knex } from 'knex';
import { createIndexConcurrently, runWithShortLock } from '../online-schema-change.ts';

/** Indexes are built concurrently, and existing rows are filled in batches. */
export const config = { transaction: false };

const trigger = (name: string, table: string, event: string, body: string) => `
  create or replace function ${name}() returns trigger language plpgsql
    security definer set search_path = public, pg_temp as $$ begin ${body} end $$;
  drop trigger if exists ${name} on ${table};
  create trigger ${name} ${event} on ${table} for each row execute function ${name}();`;

/** The previous release inserts roles without these columns. The lock makes the role wait for a concurrent block. */
const COPY_USER = trigger(
  'copy_user_to_role',
  'user_roles',
  'before insert or update of user_id',
  `select created_at, is_blocked, email into new.user_created_at, new.is_blocked, new.user_email
    from users where id = new.user_id for share;
  return new;`,
);

/** Locks the user before the roles, like the triggers of the totals. A user's created_at never changes. */
const COPY_CHANGE = trigger(
  'copy_user_to_roles',
  'users',
  'after update of is_blocked, email',
  `if (old.is_blocked, old.email) is distinct from (new.is_blocked, new.email) then
    update user_roles set is_blocked = new.is_blocked, user_email = new.email where user_id = new.id;
  end if;
  return null;`,
);

const BATCH = 2_000;

/** Users are locked before their roles: otherwise a concurrent block would be lost, or a deadlock. */
const FILL = `
  with batch as materialized (
    select user_id from user_roles where user_id > ? group by user_id order by user_id limit ${BATCH}
  ), locked as materialized (
    select id, created_at, is_blocked, email from users where id in (select user_id from batch) order by id for share
  ), filled as (
    update user_roles r set user_created_at = u.created_at, is_blocked = u.is_blocked, user_email = u.email
      from locked u where r.user_id = u.id and r.user_created_at is null
  )
  select user_id as last from batch order by user_id desc limit 1`;

const fillRoles = async (db: Knex): Promise<void> => {
  let last: string | undefined = '00000000-0000-0000-0000-000000000000';
  while (last !== undefined) last = (await db.raw(FILL, [last])).rows[0]?.last;
};

/**
 * A role has copies of its user's created_at and is_blocked, so that the users with a role are read along an index, newest
 * first, like every other list; and of the e-mail, so that a search counts its matches without a join. Each step is
 * repeatable, so that an interrupted migration continues where it ended.
 */
export const up = async (db: Knex): Promise<void> => {
  await runWithShortLock(
    db,
    `alter table user_roles add column if not exists user_created_at timestamptz,
      add column if not exists is_blocked boolean, add column if not exists user_email text`,
  );
  await runWithShortLock(db, COPY_USER);
  await runWithShortLock(db, COPY_CHANGE);
  await fillRoles(db);
  await createIndexConcurrently(
    db,
    'user_roles_newest',
    'user_roles (role, user_created_at desc, user_id desc)',
  );
  await createIndexConcurrently(
    db,
    'user_roles_newest_by_blocked',
    'user_roles (role, is_blocked, user_created_at desc, user_id desc)',
  );
  await db.raw('drop index concurrently if exists user_roles_by_role');
};

export const down = async (db: Knex): Promise<void> => {
  await createIndexConcurrently(db, 'user_roles_by_role', 'user_roles (role, user_id)');
  await runWithShortLock(
    db,
    `drop function copy_user_to_role, copy_user_to_roles cascade;
    alter table user_roles drop column user_created_at, drop column is_blocked, drop column user_email;`,
  );
};
