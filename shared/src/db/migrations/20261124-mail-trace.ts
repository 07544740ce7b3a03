import type { Knex } from 'knex';

export const up = (db: Knex): Promise<void> =>
  db.schema.raw(`
    -- The W3C trace context of the request that caused the mail; null without one.
    alter table mail_outbox add column traceparent text;
  `);

export const down = (db: Knex): Promise<void> =>
  db.schema.raw('alter table mail_outbox drop column traceparent');
