import { MAIL_QUEUE } from '@platform/shared/mail/mail-queue';
import type { QueueRedisClient } from '@platform/shared/redis/redis-client';
import { parseTraceparent } from '@platform/shared/tracing/tracing';
import { type Job, Worker } from 'bullmq';
import type { FailureOutcome } from '../worker-metrics.ts';
import { createPause, pauseAfterErrors } from '../worker-pause.ts';
import { createActivity, startCodeSlot } from './code-slot.ts';
import { type DeliverMail, FinalDeliveryError, MailServerError } from './deliver-mail.ts';
import { createMailServerBackoff } from './mail-server-backoff.ts';

const SENT = 'sent';

export type MailFailure = {
  mailId: string | undefined;
  template?: string | undefined;
  attempt?: number | undefined;
  outcome: FailureOutcome;
  reason: string;
  requestId: string | undefined;
  traceId: string | undefined;
};

const toOutcome = (job: Job | undefined, error: Error): FailureOutcome => {
  // A job that has used all its attempts is repeated while its mail is pending in the outbox.
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

type Options = {
  redis: QueueRedisClient;
  concurrency: number;
  ratePerSecond: number;
  deliver: DeliverMail;
  countWaitingCodes: () => Promise<number>;
  onError: (error: unknown) => void;
  onFailure: (failure: MailFailure) => void;
};

const toDelivery = (job: Job) => {
  if (job.id === undefined) throw new Error('Mail job without an id');
  return {
    id: job.id,
    data: job.data,
    queuedAt: job.timestamp,
    isMarkedSent: job.progress === SENT,
    markSent: () => job.updateProgress(SENT),
  };
};

const createWorker = (process: (job: Job) => Promise<void>, { redis, ratePerSecond, onError }: Options) => {
  const worker = new Worker(MAIL_QUEUE, process, {
    connection: redis,
    concurrency: 1,
    lockDuration: 20_000,
    stalledInterval: 5_000,
    // Crashed workers say nothing about the mail; its number of attempts is the limit.
    maxStalledCount: 10,
    runRetryDelay: 1_000,
    // A connection lost during the version check would leave the worker in an endless loop.
    skipVersionCheck: true,
    // Counted in Redis for the queue, and so for all workers together.
    ...(ratePerSecond > 0 && { limiter: { max: ratePerSecond, duration: 1_000 } }),
  });
  worker.on('error', onError);
  return worker;
};

/** Processes the mail queue. Mails of a crashed worker are taken over when their locks expire, within half a minute. */
export const startMailWorker = (options: Options) => {
  const { redis, concurrency, deliver, countWaitingCodes, onError, onFailure } = options;
  const activity = createActivity();

  const send = async (job: Job): Promise<void> => {
    const startedAt = performance.now();
    try {
      if (await deliver(toDelivery(job))) backoff.onSent();
    } catch (error) {
      if (error instanceof MailServerError) backoff.onServerError(startedAt);
      throw error;
    }
  };
  const worker = createWorker((job) => activity.during(() => send(job)), options);
  const pause = createPause(worker);
  pauseAfterErrors(worker, pause);
  const backoff = createMailServerBackoff({ worker, pause, concurrency });
  worker.on('failed', (job, error) => onFailure(toFailure(job, error)));
  const codeSlot = startCodeSlot({ worker, activity, countWaitingCodes, onError });
  return {
    /** Finishes the current mails. Without Redis that would wait forever, so it closes and another worker takes over. */
    close: async (): Promise<void> => {
      await worker.pause(true);
      const codeSent = codeSlot.stop();
      if (redis.isReady) await codeSent;
      await worker.close(!redis.isReady);
    },
  };
};
