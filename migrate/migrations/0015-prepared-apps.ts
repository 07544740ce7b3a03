import type { Knex } from 'knex';
import { runWithShortLock } from '../src/online-schema-change.ts';

export const config = { transaction: false };

export const up = async (db: Knex): Promise<void> => {
  // The session that set up an unconfirmed app, and the state of the account at that time. Null for an enabled
  // app.
  await runWithShortLock(db, 'alter table totp_factors add column if not exists prepared_by text');
};
