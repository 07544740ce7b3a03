import type { Knex } from 'knex';
import { createIndexConcurrently, runWithShortLock } from '../src/online-schema-change.ts';

export const config = { transaction: false };

// The mails of other services, without their texts, so that a repeated request is recognized.
const SERVICE_MAILS = `
  create table if not exists service_mails (
    -- That of the mail in the outbox.
    id uuid primary key default new_row_id(),
    service text not null,
    -- The id that the service has chosen.
    service_mail_id uuid not null,
    user_id uuid not null references users,
    -- The SHA-256 of the body.
    digest bytea not null,
    created_at timestamptz not null default now(),
    constraint service_mails_service_mail_id_key unique (service, service_mail_id)
  );
  -- For the limit of mails to a user, and for the deletion of an account.
  create index if not exists service_mails_user_id on service_mails (user_id, service, created_at desc);
  -- For the nightly cleanup.
  create index if not exists service_mails_created_at on service_mails (created_at)`;

export const up = async (db: Knex): Promise<void> => {
  await runWithShortLock(db, SERVICE_MAILS);
  // For the relay: a flood of one class must not slow down the search for another one.
  const waiting = 'mail_outbox (created_at) where failed_at is null';
  const messages = `${waiting} and mail -> 'service' is not null`;
  const notices = `${waiting} and mail -> 'request' is null and mail -> 'service' is null`;
  await createIndexConcurrently(db, 'mail_outbox_service_messages', messages);
  await createIndexConcurrently(db, 'mail_outbox_account_notices', notices);
  await db.raw('drop index concurrently if exists mail_outbox_notices');
};
