import type { MailQueue } from '@platform/shared/platform/mail/mail-queue';
import { parseMailJob } from '@platform/shared/platform/mail/parse-mail-job';
import { parseTraceparent, runInTrace } from '@platform/shared/tracing/tracing';
import type { MailFailure } from '../mail-metrics.ts';
import type { OutboxRow, OutboxStore } from './outbox-store.ts';

const BATCH_SIZE = 100;
/**
 * A minute of work at five mails per second, in half a megabyte of Redis. The other mails stay in Postgres.
 */
const MAX_WAITING = 300;
/**
 * These limits include the mails to be retried, so they are higher: temporary rejections must not block the
 * other mails. Contact forms leave room for notices while the team's mailbox rejects them.
 */
const MAX_QUEUED_NOTICES = 3_000;
const MAX_QUEUED_FORMS = 1_500;
/** Messages of other services leave room for notices and contact forms. */
const MAX_QUEUED_MESSAGES = 750;

type Dependencies = {
  outbox: OutboxStore;
  queue: MailQueue;
  /** Called when a row is marked as failed, because this release cannot parse its mail. */
  onFailure: (failure: MailFailure) => void;
};

/**
 * Moves mails from the outbox to the queue. The id of the row is the id of the job, so that no mail is queued
 * twice.
 */
export const createOutboxRelay = ({ outbox, queue, onFailure }: Dependencies) => {
  const enqueue = async ({ id, mail, requestId, userId, createdAt }: OutboxRow): Promise<void> => {
    const askedAt = createdAt.toISOString();
    await queue.add(id, parseMailJob({ mail, requestId, userId, askedAt, inOutbox: true }));
  };

  const relayRow = async (row: OutboxRow): Promise<void> => {
    try {
      await runInTrace(parseTraceparent(row.traceparent), () => enqueue(row));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await outbox.markFailed(row.id, error.message, 0);
      onFailure({
        mailId: row.id,
        outcome: 'failed',
        reason: error.message,
        requestId: row.requestId,
        traceId: parseTraceparent(row.traceparent)?.traceId,
      });
    }
  };

  /** Returns the number of relayed rows. */
  const relayRows = async (rows: OutboxRow[]): Promise<number> => {
    for (const [index, row] of rows.entries()) {
      try {
        await relayRow(row);
      } catch (error) {
        await outbox.release(rows.slice(index).map(({ id }) => id));
        throw error;
      }
    }
    return rows.length;
  };

  return {
    /**
     * Relays a batch, notices before forms before messages of other services, if the queue is short.
     * @throws AppError 503 when Redis or Postgres is unavailable; the mails stay in the outbox
     */
    relay: async (): Promise<void> => {
      if (!queue.isReady()) return;
      const { waiting, delayed } = await queue.depth();
      const findRoom = (maxQueued: number): number =>
        Math.min(BATCH_SIZE, MAX_WAITING - waiting, maxQueued - waiting - delayed);
      const notices = await relayRows(await outbox.claim('notices', findRoom(MAX_QUEUED_NOTICES)));
      const forms = await relayRows(await outbox.claim('forms', findRoom(MAX_QUEUED_FORMS) - notices));
      await relayRows(await outbox.claim('messages', findRoom(MAX_QUEUED_MESSAGES) - notices - forms));
    },

    /**
     * Releases claimed mails that are no longer in the queue: Redis lost them, or their attempts are
     * exhausted. @throws AppError 503
     */
    releaseLost: async (): Promise<void> => {
      const ids = queue.isReady() ? await outbox.findEnqueued() : [];
      if (ids.length === 0) return;
      // The queue is read after the rows, so a mail that was sent in between is not mistaken for a lost one.
      const queued = await queue.listIds();
      const lost = ids.filter((id) => !queued.has(id));
      // BullMQ ignores a job whose id it already has, even if that job failed.
      for (const id of lost) await queue.remove(id);
      if (lost.length > 0) await outbox.release(lost);
    },
  };
};
