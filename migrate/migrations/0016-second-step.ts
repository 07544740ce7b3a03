import type { Knex } from 'knex';
import { runWithShortLock } from '../src/online-schema-change.ts';

export const config = { transaction: false };

export const up = async (db: Knex): Promise<void> => {
  // True while the owner of the account has switched the second step on.
  const column = 'is_second_step_on boolean not null default false';
  await runWithShortLock(db, `alter table users add column if not exists ${column}`);
  // Whether the authenticator has verified the user, without which a passkey cannot sign in alone.
  const verifies = 'verifies_user boolean not null default true';
  await runWithShortLock(db, `alter table passkeys add column if not exists ${verifies}`);
  // Recovery codes are shorter now, so their hashes are encrypted. The former hashes are not, and no release
  // has stored any.
  await db.raw('delete from recovery_codes');
};
