import { MAIL_QUEUE } from '@platform/shared/mail/mail-queue';
import type { QueueRedisClient } from '@platform/shared/redis/redis-client';
import { parseTraceparent } from '@platform/shared/tracing/tracing';
import { type Job, Worker } from 'bullmq';
import { pauseAfterErrors } from '../pause-after-errors.ts';
import { type DeliverMail, FinalDeliveryError } from './deliver-mail.ts';

const SENT = 'sent';

export type MailFailure = {
  mailId: string | undefined;
  template?: string | undefined;
  attempt?: number | undefined;
  /** No attempt follows. */
  isFinal: boolean;
  reason: string;
  requestId: string | undefined;
  traceId: string | undefined;
};

/** A job that has used all its attempts is repeated while its mail is pending in the outbox. */
const isFinal = (job: Job | undefined, error: Error): boolean =>
  error instanceof FinalDeliveryError || (job?.finishedOn !== undefined && job.data?.inOutbox !== true);

const toFailure = (job: Job | undefined, error: Error): MailFailure => ({
  mailId: job?.id,
  template: job?.name,
  attempt: job?.attemptsMade,
  isFinal: isFinal(job, error),
  reason: error.message,
  requestId: job?.data?.requestId,
  traceId: parseTraceparent(job?.data?.traceparent)?.traceId,
});

type Options = {
  redis: QueueRedisClient;
  concurrency: number;
  ratePerSecond: number;
  deliver: DeliverMail;
  onError: (error: Error) => void;
  onFailure: (failure: MailFailure) => void;
};

/** Processes the mail queue. Mails of a crashed worker are taken over when their locks expire, within half a minute. */
export const startMailWorker = ({
  redis,
  concurrency,
  ratePerSecond,
  deliver,
  onError,
  onFailure,
}: Options) => {
  const worker = new Worker(
    MAIL_QUEUE,
    async (job: Job) => {
      if (job.id === undefined) throw new Error('Mail job without an id');
      await deliver({
        id: job.id,
        data: job.data,
        queuedAt: job.timestamp,
        isMarkedSent: job.progress === SENT,
        markSent: () => job.updateProgress(SENT),
      });
    },
    {
      connection: redis,
      concurrency,
      lockDuration: 20_000,
      stalledInterval: 5_000,
      // Crashed workers say nothing about the mail; its number of attempts is the limit.
      maxStalledCount: 10,
      runRetryDelay: 1_000,
      // A connection lost during the version check would leave the worker in an endless loop.
      skipVersionCheck: true,
      ...(ratePerSecond > 0 && { limiter: { max: ratePerSecond, duration: 1_000 } }),
    },
  );
  worker.on('error', onError);
  pauseAfterErrors(worker);
  worker.on('failed', (job, error) => onFailure(toFailure(job, error)));
  return {
    /** Finishes the current mails. Without Redis that would wait forever, so it closes and another worker takes over. */
    close: () => worker.close(!redis.isReady),
  };
};
