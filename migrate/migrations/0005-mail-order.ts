import type { Knex } from 'knex';
import { createIndexConcurrently } from '../src/online-schema-change.ts';

export const config = { transaction: false };

export const up = async (db: Knex): Promise<void> => {
  // For the relay, which takes notices before contact forms, of which there may be many.
  const notices = `mail_outbox (created_at) where failed_at is null and mail -> 'request' is null`;
  await createIndexConcurrently(db, 'mail_outbox_notices', notices);
  // For the relay, which looks for mails that the queue has lost.
  const enqueued = 'mail_outbox (enqueued_at) where failed_at is null and enqueued_at is not null';
  await createIndexConcurrently(db, 'mail_outbox_enqueued', enqueued);
};
