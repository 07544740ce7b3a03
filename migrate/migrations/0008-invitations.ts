import type { Knex } from 'knex';
import { createIndexConcurrently, runWithShortLock } from '../src/online-schema-change.ts';

export const config = { transaction: false };

// Invitations of the back office that wait for their acceptance.
const INVITATIONS = `
  create table if not exists invitations (
    id uuid primary key default new_row_id(),
    -- In lower case. A second invitation of the address replaces the first.
    email text not null constraint invitations_email_key unique
      check (email = lower(email) and char_length(email) between 3 and 254),
    role text not null check (role in ('ADMIN', 'OPERATOR', 'ARBITER')),
    -- The language of the mail, and of the account unless the browser of the invited person has another.
    language text not null,
    -- A keyed hash of the code.
    code_hash text not null constraint invitations_code_hash_key unique,
    invited_by uuid not null references users,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
  );
  -- For the invitations of somebody who is blocked, or is no longer ADMIN.
  create index if not exists invitations_invited_by on invitations (invited_by);
  -- For the nightly cleanup.
  create index if not exists invitations_expires_at on invitations (expires_at);
  -- The mail of an invitation, which is deleted with it.
  alter table mail_outbox add column if not exists invitation_id uuid`;

const FOREIGN_KEY = `
  alter table mail_outbox drop constraint if exists mail_outbox_invitation_id_fkey,
    add constraint mail_outbox_invitation_id_fkey foreign key (invitation_id) references invitations
      on delete cascade not valid`;

export const up = async (db: Knex): Promise<void> => {
  await runWithShortLock(db, INVITATIONS);
  await createIndexConcurrently(
    db,
    'mail_outbox_invitation_id',
    'mail_outbox (invitation_id) where invitation_id is not null',
  );
  await runWithShortLock(db, FOREIGN_KEY);
  await db.raw('alter table mail_outbox validate constraint mail_outbox_invitation_id_fkey');
};
