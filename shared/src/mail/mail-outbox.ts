import { type Database, query } from '../db/database.ts';
import { currentTraceparent } from '../tracing/tracing.ts';
import type { Mail } from './mail.ts';

/** Transactional outbox of mails that must not be lost: the worker relays each row to the queue and deletes it once sent. */
export const createMailOutbox = (database: Database) => ({
  /** `userId`: whom the mail concerns, and whose deletion removes it; null for what must arrive whatever happens to accounts. */
  add: async (mail: Mail, requestId: string, userId: string | null): Promise<void> => {
    const text = 'insert into mail_outbox (mail, request_id, traceparent, user_id) values ($1, $2, $3, $4)';
    const values = [mail, requestId, currentTraceparent(), userId];
    await query(database, { name: 'outbox-add', text, values });
  },
});
