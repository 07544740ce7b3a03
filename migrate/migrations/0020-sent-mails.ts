import type { Knex } from 'knex';
import { runWithShortLock } from '../src/online-schema-change.ts';

export const config = { transaction: false };

// This table records what became of the mails that concern a user, without their texts and codes: a sent
// mail, and a code that could not be sent. Other mails are in the outbox until they are sent.
const SENT_MAILS = `
  create table if not exists sent_mails (
    -- That of the mail in the outbox or the queue.
    id uuid primary key default new_row_id(),
    user_id uuid not null references users,
    -- The name of the template.
    mail text not null,
    -- The other service that sent the mail.
    service text,
    recipient text not null,
    state text not null constraint sent_mails_state_check check (state in ('sent', 'failed')),
    failure text,
    recorded_at timestamptz not null default now()
  );
  -- For the export and the deletion of an account.
  create index if not exists sent_mails_user_id on sent_mails (user_id, recorded_at desc);
  -- For the nightly cleanup.
  create index if not exists sent_mails_recorded_at on sent_mails (recorded_at)`;

export const up = (db: Knex): Promise<void> => runWithShortLock(db, SENT_MAILS);
