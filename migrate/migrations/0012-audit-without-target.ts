import type { Knex } from 'knex';
import { runWithShortLock } from '../src/online-schema-change.ts';

export const config = { transaction: false };

/** A record need not have a target, such as a sign-in as somebody unknown. */
export const up = (db: Knex): Promise<void> =>
  runWithShortLock(
    db,
    'alter table audit_records alter column target_type drop not null, alter column target_id drop not null',
  );
