import type { Database } from '../db/database.ts';
import { currentTraceparent } from '../tracing/tracing.ts';
import type { Mail } from './mail.ts';

/** Mails that must not be lost: a row in the transaction that causes it, which the worker relays and removes once sent. */
export const createMailOutbox = (database: Database) => ({
  add: async (mail: Mail, requestId: string): Promise<void> => {
    await database.query({
      name: 'outbox-add',
      text: 'insert into mail_outbox (mail, request_id, traceparent) values ($1, $2, $3)',
      values: [JSON.stringify(mail), requestId, currentTraceparent()],
    });
  },
});

export type MailOutbox = ReturnType<typeof createMailOutbox>;
