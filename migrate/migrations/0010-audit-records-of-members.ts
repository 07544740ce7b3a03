import type { Knex } from 'knex';
import { createIndexConcurrently } from '../src/online-schema-change.ts';

export const config = { transaction: false };

/** Adds an index for the audit log of a user, which has records about something else, such as a team, too. */
export const up = async (db: Knex): Promise<void> =>
  await createIndexConcurrently(
    db,
    'audit_records_by_concerned_user',
    `audit_records ((details ->> 'userId'), created_at desc, id desc) where details ->> 'userId' is not null`,
  );
