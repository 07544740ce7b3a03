import type { Knex } from 'knex';
import { runWithShortLock } from '../src/online-schema-change.ts';

export const config = { transaction: false };

/** Whether the user chose to stay signed in. A constant default rewrites no row. */
export const up = async (db: Knex): Promise<void> => {
  await runWithShortLock(
    db,
    'alter table token_records add column if not exists stays_signed_in boolean not null default false',
  );
};
