import { parseMailJob } from '@platform/shared/mail/mail';
import type { MailQueue } from '@platform/shared/mail/mail-queue';
import { parseTraceparent, runInTrace } from '@platform/shared/tracing/tracing';
import type { OutboxRow, OutboxStore } from './outbox-store.ts';

const BATCH_SIZE = 100;

type UnreadableMail = {
  mailId: string;
  isFinal: true;
  reason: string;
  requestId: string;
  traceId: string | undefined;
};

type Dependencies = {
  outbox: OutboxStore;
  queue: MailQueue;
  /** Called when a row is marked as failed, because this release cannot read its mail. */
  onFailure: (failure: UnreadableMail) => void;
};

/**
 * Moves mails from the outbox to the queue. The row's id is the job's id: a mail that is still in the queue is not added
 * again, and a mail that the queue lost, because Redis was emptied, is.
 */
export const createOutboxRelay = ({ outbox, queue, onFailure }: Dependencies) => {
  const enqueue = async ({ id, mail, requestId, createdAt, wasEnqueued }: OutboxRow): Promise<void> => {
    const askedAt = createdAt.toISOString();
    await queue.add(id, parseMailJob({ mail, requestId, askedAt, inOutbox: true }));
    if (wasEnqueued) await queue.retryIfFailed(id);
  };

  const relayRow = async (row: OutboxRow): Promise<void> => {
    try {
      await runInTrace(parseTraceparent(row.traceparent), () => enqueue(row));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await outbox.markFailed(row.id, error.message);
      onFailure({
        mailId: row.id,
        isFinal: true,
        reason: error.message,
        requestId: row.requestId,
        traceId: parseTraceparent(row.traceparent)?.traceId,
      });
    }
  };

  /** Relays a batch. @throws AppError 503 when Redis or Postgres is unavailable; the mails stay in the outbox. */
  return async (): Promise<void> => {
    if (!queue.isReady()) return;
    const rows = await outbox.claim(BATCH_SIZE);
    for (const [index, row] of rows.entries()) {
      try {
        await relayRow(row);
      } catch (error) {
        await outbox.release(rows.slice(index).map(({ id }) => id));
        throw error;
      }
    }
  };
};
