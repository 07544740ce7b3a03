import type { Knex } from 'knex';
import { runWithShortLock } from '../src/online-schema-change.ts';

// When the user of a session last proved their identity: at a provider that may be long before the session.

export const config = { transaction: false };

export const up = (db: Knex): Promise<void> =>
  runWithShortLock(db, 'alter table token_records add column if not exists authenticated_at timestamptz');
