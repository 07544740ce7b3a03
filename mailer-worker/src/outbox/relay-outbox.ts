import { parseMailJob } from '@platform/shared/mail/mail';
import type { MailQueue } from '@platform/shared/mail/mail-queue';
import { parseTraceparent, runInTrace } from '@platform/shared/tracing/tracing';
import type { OutboxRow, OutboxStore } from './outbox-store.ts';

const BATCH = 100;

type Dependencies = { outbox: OutboxStore; queue: MailQueue };

/**
 * Moves mails from the outbox to the queue. The row's id is the job's, so a mail that the queue has already is not
 * added again; one that it lost, because Redis was emptied, is.
 */
export const createOutboxRelay = ({ outbox, queue }: Dependencies) => {
  const relay = async ({ id, mail, requestId, createdAt, wasEnqueued }: OutboxRow): Promise<void> => {
    const askedAt = createdAt.toISOString();
    await queue.add(id, parseMailJob({ mail, requestId, askedAt, inOutbox: true }));
    if (wasEnqueued) await queue.retryIfFailed(id);
  };

  const relayOrMark = async (row: OutboxRow): Promise<void> => {
    try {
      await runInTrace(parseTraceparent(row.traceparent), () => relay(row));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await outbox.markFailed(row.id, error.message);
    }
  };

  /** Relays what is due; returns how many. @throws AppError 503 when Redis or Postgres is away; nothing is lost then. */
  return async (): Promise<number> => {
    if (!queue.isReady()) return 0;
    const rows = await outbox.claim(BATCH);
    for (const [index, row] of rows.entries()) {
      try {
        await relayOrMark(row);
      } catch (error) {
        await outbox.release(rows.slice(index).map(({ id }) => id));
        throw error;
      }
    }
    return rows.length;
  };
};
