import type { Knex } from 'knex';
import { runWithShortLock } from '../src/online-schema-change.ts';

// Accounts without a password, which sign in with a provider or a passkey.

export const config = { transaction: false };

export const up = (db: Knex): Promise<void> =>
  runWithShortLock(db, 'alter table users alter column password_hash drop not null');
