import type { Database } from '../db/database.ts';
import { currentTraceparent } from '../tracing/tracing.ts';
import type { Mail } from './mail.ts';

/** Transactional outbox of mails that must not be lost: the worker relays each row to the queue and deletes it once sent. */
export const createMailOutbox = (database: Database) => ({
  /** `userId`: whom the mail concerns, and whose deletion removes it; null for what must arrive whatever happens to accounts. */
  add: async (mail: Mail, requestId: string, userId: string | null): Promise<void> => {
    await database('mail_outbox').insert({ mail, requestId, traceparent: currentTraceparent(), userId });
  },
});
