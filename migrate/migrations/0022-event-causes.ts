import type { Knex } from 'knex';
import { runWithShortLock } from '../src/online-schema-change.ts';

export const config = { transaction: false };

/** Who caused an event. Those that exist already have not recorded it. */
export const up = (db: Knex): Promise<void> =>
  runWithShortLock(
    db,
    "alter table events add column if not exists caused_by text not null default 'platform'",
  );
