import type { Knex } from 'knex';

export const up = (db: Knex): Promise<void> =>
  db.schema.raw(`
    -- Each row is an unsent mail; the worker deletes it once the mail is sent.
    create table mail_outbox (
      id uuid primary key default gen_random_uuid(),
      mail jsonb not null,
      request_id text not null,
      created_at timestamptz not null default now(),
      enqueued_at timestamptz,
      failed_at timestamptz,
      failure text
    );
    create index mail_outbox_to_relay on mail_outbox (created_at) where failed_at is null;
  `);

export const down = (db: Knex): Promise<void> => db.schema.raw('drop table mail_outbox');
