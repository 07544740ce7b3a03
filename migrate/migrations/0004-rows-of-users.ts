import type { Knex } from 'knex';
import { createIndexConcurrently, runWithShortLock } from '../src/online-schema-change.ts';

// Waiting mails belong to users, and accounts whose sessions were forgotten.

export const config = { transaction: false };

// No foreign key: the notice of a deletion belongs to a user as well. Null for what must reach an address whatever happens to
// accounts: contact forms, and the notice to the former address of an account.
const COLUMNS = `
  alter table mail_outbox add column if not exists user_id uuid;
  -- A proof of the address or a reset has removed sessions: the next sign-in is not the first of the account.
  alter table users add column if not exists sessions_forgotten bool not null default false;`;

export const up = async (db: Knex): Promise<void> => {
  await runWithShortLock(db, COLUMNS);
  // The deletion of an account.
  await createIndexConcurrently(db, 'mail_outbox_user_id', 'mail_outbox (user_id) where user_id is not null');
};
