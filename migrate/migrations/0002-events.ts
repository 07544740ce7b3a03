import type { Knex } from 'knex';

// Events for other services (docs/decisions.md, 31).
export const up = async (db: Knex): Promise<void> => {
  await db.raw(`
    create table events (
      -- Given before the commit, so that a later one may be committed earlier; of the events of one subject in the order of commits.
      sequence bigint generated always as identity primary key,
      event_id uuid not null default gen_random_uuid(),
      type text,
      subject uuid,
      data jsonb not null default '{}',
      occurred_at timestamptz not null default now(),
      -- Given after the commit, without gaps: the order in which services read.
      position bigint,
      -- Names the position to a reader. A database that was restored to an earlier time has not given it.
      cursor uuid,
      constraint events_numbered check ((position is null) = (cursor is null)),
      constraint events_complete check ((type is null) = (subject is null))
    );
    create unique index events_position on events (position) where position is not null;
    create unique index events_cursor on events (cursor) where cursor is not null;
    create index events_unnumbered on events (sequence) where position is null;
    create index events_by_age on events (occurred_at);
    -- The start of the feed, so that a reader of an empty one gets a cursor too.
    insert into events (position, cursor) values (1, gen_random_uuid())`);
};
