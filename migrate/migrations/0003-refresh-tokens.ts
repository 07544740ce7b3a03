import type { Knex } from 'knex';
import { runWithShortLock } from '../src/online-schema-change.ts';

export const config = { transaction: false };

// The generation in a refresh token tells whether it is the current or the previous one (docs/decisions.md,
// 6), and requests no longer record that they use a token. The fillfactor made room for these updates. A
// release must not drop what the previous one uses (CONTRIBUTING.md), but no release exists yet.
export const up = (db: Knex): Promise<void> =>
  runWithShortLock(
    db,
    `alter table token_records
       drop column if exists is_used, drop column if exists previous_refresh_token_id, reset (fillfactor)`,
  );
