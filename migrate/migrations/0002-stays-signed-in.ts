import type { Knex } from 'knex';

/** Whether the user chose to stay signed in. A default that is constant rewrites no row. */
export const up = async (db: Knex): Promise<void> => {
  await db.raw('alter table token_records add column stays_signed_in boolean not null default false');
};
