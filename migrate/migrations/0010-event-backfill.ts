import type { Knex } from 'knex';
import { createIndexConcurrently, runWithShortLock } from '../src/online-schema-change.ts';

export const config = { transaction: false };

export const up = async (db: Knex): Promise<void> => {
  // The retention counts from this time: an event of `npm run events:backfill` occurred long before.
  const column = 'recorded_at timestamptz not null default now()';
  await runWithShortLock(db, `alter table events add column if not exists ${column}`);
  await db.raw('drop index concurrently if exists events_by_age');
  // For `npm run events:backfill`, which looks for subjects whose creation no event tells.
  const created = "events (subject) where type in ('user.created', 'project.created', 'team.created')";
  await createIndexConcurrently(db, 'events_created', created);
};
