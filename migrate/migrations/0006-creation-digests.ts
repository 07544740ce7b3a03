import type { Knex } from 'knex';
import { runWithShortLock } from '../src/online-schema-change.ts';

export const config = { transaction: false };

// The SHA-256 of the body with which another service created the project or team, so that a repeated request
// is recognized. Null if no service has created it.
export const up = async (db: Knex): Promise<void> => {
  for (const table of ['projects', 'teams'])
    await runWithShortLock(db, `alter table ${table} add column if not exists creation_digest bytea`);
};
