import type { Knex } from 'knex';
import { createIndexConcurrently, runWithShortLock } from '../src/online-schema-change.ts';

export const config = { transaction: false };

const FORMS = { lead_requests: 'company', support_requests: 'subject' };

/** Contact forms have an assignee, notes and replies. */
export const up = async (db: Knex): Promise<void> => {
  for (const [table, last] of Object.entries(FORMS)) {
    await runWithShortLock(
      db,
      `alter table ${table}
         -- An ADMIN, as long as the user has this role. No foreign key, as done_by.
         add column if not exists assignee_id uuid,
         -- The time of the latest reply.
         add column if not exists replied_at timestamptz`,
    );
    // The list of an assignee's forms needs this index, and so does the loss of the role.
    await createIndexConcurrently(
      db,
      `${table}_by_assignee`,
      `${table} (assignee_id, created_at desc, id desc) where assignee_id is not null`,
    );
    // Searches of the list ignore accents.
    await createIndexConcurrently(
      db,
      `${table}_search_keys`,
      `${table} using gin (search_key(coalesce(name, '') || E'\\n' || email || E'\\n' || coalesce(${last}, '')) gin_trgm_ops)`,
    );
  }
  await runWithShortLock(
    db,
    `create table if not exists contact_entries (
       id uuid primary key default new_row_id(),
       kind text not null check (kind in ('note', 'reply')),
       -- Of the form.
       lead_request_id uuid references lead_requests on delete cascade,
       support_request_id uuid references support_requests on delete cascade,
       author_id uuid not null references users,
       text text not null check (char_length(text) between 1 and 4000),
       created_at timestamptz not null default now(),
       check (num_nonnulls(lead_request_id, support_request_id) = 1)
     )`,
  );
  // The entries of a form are listed and deleted by these indexes.
  for (const column of ['lead_request_id', 'support_request_id'])
    await createIndexConcurrently(
      db,
      `contact_entries_${column}`,
      `contact_entries (${column}) where ${column} is not null`,
    );
  // The limit of replies needs this index, and so does the foreign key.
  await createIndexConcurrently(
    db,
    'contact_entries_author_id',
    'contact_entries (author_id, created_at desc)',
  );
};
