import type { Knex } from 'knex';
import { runWithShortLock } from '../src/online-schema-change.ts';

export const config = { transaction: false };

/** When an administrator last proved their identity in the session; null before the first proof since the sign-in. */
export const up = (db: Knex): Promise<void> =>
  runWithShortLock(db, 'alter table token_records add column if not exists proved_at timestamptz');
