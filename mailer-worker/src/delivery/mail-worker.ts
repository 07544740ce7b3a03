import { MAIL_QUEUE } from '@platform/shared/platform/mail/mail-queue';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import { parseTraceparent } from '@platform/shared/tracing/tracing';
import type { Job } from 'bullmq';
import type { FailureOutcome, MailFailure } from '../mail-metrics.ts';
import { startQueueWorker } from '../queue-worker.ts';
import { createActivity, startCodeSlot } from './code-slot.ts';
import { type DeliverMail, FinalDeliveryError, MailServerError, RejectedMailError } from './deliver-mail.ts';
import { createMailServerBackoff } from './mail-server-backoff.ts';

const toOutcome = (job: Job | undefined, error: Error): FailureOutcome => {
  if (error instanceof RejectedMailError) return 'rejected';
  // A job that has used all its attempts is added again while its mail is pending in the outbox.
  const isFinal = job?.finishedOn !== undefined && job.data?.inOutbox !== true;
  if (isFinal || error instanceof FinalDeliveryError) return 'failed';
  return error instanceof MailServerError ? 'deferred' : 'retried';
};

const toFailure = (job: Job | undefined, error: Error): MailFailure => ({
  mailId: job?.id,
  template: job?.name,
  attempt: job?.attemptsMade,
  outcome: toOutcome(job, error),
  reason: error.message,
  requestId: job?.data?.requestId,
  traceId: parseTraceparent(job?.data?.traceparent)?.traceId,
});

const UNLIMITED_RATE = 1_000_000;

type Options = {
  redis: RedisClient;
  concurrency: number;
  ratePerSecond: number;
  deliver: DeliverMail;
  countWaitingCodes: () => Promise<number>;
  pauseQueue: (milliseconds: number) => Promise<void>;
  onError: (error: unknown) => void;
  onFailure: (failure: MailFailure) => void;
};

/**
 * Processes the mail queue. When a worker crashes, another one takes over its mails within 30 s, as soon as
 * their locks expire.
 */
export const startMailWorker = (options: Options) => {
  const { redis, concurrency, ratePerSecond, deliver, countWaitingCodes, pauseQueue, onError, onFailure } =
    options;
  const activity = createActivity();

  const send = async (job: Job): Promise<void> => {
    const startedAt = performance.now();
    try {
      if (await deliver(job)) backoff.onSent();
    } catch (error) {
      if (error instanceof MailServerError) await backoff.onServerError(startedAt).catch(onError);
      throw error;
    }
  };
  const { worker, close } = startQueueWorker(MAIL_QUEUE, (job) => activity.during(() => send(job)), {
    redis,
    onError,
    concurrency: 1,
    lockDuration: 20_000,
    stalledInterval: 5_000,
    // BullMQ counts in Redis, so the limit applies to all workers together. Pausing the queue needs a
    // limiter, too.
    limiter: { max: ratePerSecond || UNLIMITED_RATE, duration: 1_000 },
  });
  const backoff = createMailServerBackoff({ worker, pauseQueue, concurrency });
  worker.on('failed', (job, error) => onFailure(toFailure(job, error)));
  const codeSlot = startCodeSlot({ worker, activity, countWaitingCodes, onError });
  return {
    close: async (): Promise<void> => {
      await worker.pause(true);
      const codeSent = codeSlot.stop();
      if (redis.isReady) await codeSent;
      await close();
    },
  };
};
