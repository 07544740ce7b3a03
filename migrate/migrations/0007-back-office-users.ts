import type { Knex } from 'knex';
import { createIndexConcurrently, runWithShortLock } from '../src/online-schema-change.ts';

export const config = { transaction: false };

const BATCH = 5_000;

/** Each session has the time of its last sign-in. */
const FILL_BATCH = `
  with batch as (
    select user_id, max(updated_at) as at from sessions where user_id > ? group by user_id order by user_id limit ${BATCH}
  ), filled as (
    update users u set last_sign_in_at = b.at from batch b where u.id = b.user_id and u.last_sign_in_at is null
  )
  select user_id from batch order by user_id desc limit 1`;

const fillLastSignIns = async (db: Knex): Promise<void> => {
  let last: string | undefined = '00000000-0000-0000-0000-000000000000';
  while (last !== undefined) {
    const result: { rows: { user_id: string }[] } = await db.raw(FILL_BATCH, [last]);
    last = result.rows[0]?.user_id;
  }
};

// For the back office: devices and last sign-ins of users, a search by name, and notes.
export const up = async (db: Knex): Promise<void> => {
  // The User-Agent header of the sign-in, at most 256 characters.
  await runWithShortLock(db, 'alter table token_records add column if not exists user_agent text');
  await runWithShortLock(
    db,
    `alter table token_records drop constraint if exists token_records_user_agent_check,
       add constraint token_records_user_agent_check check (char_length(user_agent) between 1 and 256) not valid`,
  );
  await db.raw('alter table token_records validate constraint token_records_user_agent_check');
  // It is of any kind of account, outlives the session, and is null before the first sign-in.
  await runWithShortLock(db, 'alter table users add column if not exists last_sign_in_at timestamptz');
  await fillLastSignIns(db);
  for (const table of ['customer_profiles', 'employee_profiles'])
    await createIndexConcurrently(
      db,
      `${table}_name_trigrams`,
      `${table} using gin ((coalesce(first_name || ' ', '') || coalesce(last_name, '')) gin_trgm_ops)`,
    );
  await runWithShortLock(
    db,
    `
    -- Notes of the back office about a user, for example why the user was blocked.
    create table if not exists user_notes (
      id uuid primary key default new_row_id(),
      user_id uuid not null references users on delete cascade,
      author_id uuid not null references users,
      text text not null check (char_length(text) between 1 and 2000),
      created_at timestamptz not null default now()
    );
    create index if not exists user_notes_newest on user_notes (user_id, created_at desc, id desc);
    -- For the foreign key.
    create index if not exists user_notes_author_id on user_notes (author_id)`,
  );
};
