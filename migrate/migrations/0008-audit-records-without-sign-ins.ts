import type { Knex } from 'knex';
import { createIndexConcurrently } from '../src/online-schema-change.ts';

export const config = { transaction: false };

/** Adds an index for the audit log without sign-ins, which are most of its records. */
export const up = async (db: Knex): Promise<void> =>
  await createIndexConcurrently(
    db,
    'audit_records_newest_without_sign_ins',
    `audit_records (created_at desc, id desc) where action not in ('SIGNED_IN', 'SIGN_IN_FAILED', 'PAUSED')`,
  );
