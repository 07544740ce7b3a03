import type { Knex } from 'knex';
import { runWithShortLock } from '../src/online-schema-change.ts';

export const config = { transaction: false };

/** The IANA name of the time zone of mails to the user; null for UTC. */
export const up = async (db: Knex): Promise<void> => {
  await runWithShortLock(db, 'alter table users add column if not exists time_zone text');
};
