import type { Knex } from 'knex';
import { createIndexConcurrently, runWithShortLock } from '../src/online-schema-change.ts';

export const config = { transaction: false };

const addContactRequestStates = async (db: Knex): Promise<void> => {
  for (const table of ['lead_requests', 'support_requests']) {
    // done_by has no foreign key: a deleted user keeps the row in users.
    const columns = 'add column if not exists done_at timestamptz, add column if not exists done_by uuid';
    await runWithShortLock(db, `alter table ${table} ${columns}`);
    // For the list of both tables, with and without its filter.
    await createIndexConcurrently(db, `${table}_newest`, `${table} (created_at desc, id desc)`);
    const byState = `${table} ((done_at is not null), created_at desc, id desc)`;
    await createIndexConcurrently(db, `${table}_newest_by_state`, byState);
    // The nightly cleanup uses the new index.
    await db.raw(`drop index concurrently if exists ${table}_created_at`);
  }
};

export const up = async (db: Knex): Promise<void> => {
  await addContactRequestStates(db);

  // For the list of deleted projects, and for its search.
  const deleted = 'where deleted_at is not null';
  const latest = `projects (deleted_at desc, id desc) ${deleted}`;
  await createIndexConcurrently(db, 'projects_latest_deletion', latest);
  const titles = `projects using gin (title gin_trgm_ops) ${deleted}`;
  await createIndexConcurrently(db, 'projects_deleted_title_trigrams', titles);

  // For searches of the list of teams.
  await createIndexConcurrently(db, 'teams_name_trigrams', 'teams using gin (name gin_trgm_ops)');
  await createIndexConcurrently(db, 'teams_slug_trigrams', 'teams using gin (slug gin_trgm_ops)');

  // The queue forgets failed mails earlier than the outbox.
  await runWithShortLock(
    db,
    'alter table mail_outbox add column if not exists attempts integer not null default 0',
  );
  // For the list of failed mails; that of the waiting ones uses mail_outbox_to_relay.
  const failed = 'mail_outbox (created_at desc, id desc) where failed_at is not null';
  await createIndexConcurrently(db, 'mail_outbox_newest_failed', failed);
};
