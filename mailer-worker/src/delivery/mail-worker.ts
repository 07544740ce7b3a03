import { MAIL_QUEUE } from '@platform/shared/mail/mail-queue';
import type { RedisClient } from '@platform/shared/redis/redis';
import { parseTraceparent } from '@platform/shared/tracing/tracing';
import { type Job, Worker } from 'bullmq';
import type { DeliverMail } from './deliver-mail.ts';

const SENT = 'sent';

export type MailFailure = {
  mailId: string | undefined;
  template: string | undefined;
  attempt: number | undefined;
  /** No further try will be made. */
  isFinal: boolean;
  reason: string;
  requestId: string | undefined;
  traceId: string | undefined;
};

const toFailure = (job: Job | undefined, { message }: Error): MailFailure => ({
  mailId: job?.id,
  template: job?.name,
  attempt: job?.attemptsMade,
  isFinal: job?.finishedOn !== undefined,
  reason: message,
  requestId: job?.data?.requestId,
  traceId: parseTraceparent(job?.data?.traceparent)?.traceId,
});

type Options = {
  redis: RedisClient;
  concurrency: number;
  ratePerSecond: number;
  deliver: DeliverMail;
  onError: (error: Error) => void;
  onFailure: (failure: MailFailure) => void;
};

/** Takes mails from the queue. One that a dead worker held is taken over once its lock ends, within half a minute. */
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
      if (job.id === undefined) throw new Error('A queued mail without an id');
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
      // A mail that outlives several workers is still a mail; its own tries bound it.
      maxStalledCount: 10,
      runRetryDelay: 1_000,
      // A Redis that dies while it is asked for its version would leave the worker spinning, deaf to everything, for good.
      skipVersionCheck: true,
      ...(ratePerSecond > 0 && { limiter: { max: ratePerSecond, duration: 1_000 } }),
    },
  );
  worker.on('error', onError);
  worker.on('failed', (job, error) => onFailure(toFailure(job, error)));
  return {
    /** Ends what it is sending. With Redis away it would wait for its return: then the next worker takes that over. */
    close: () => worker.close(!redis.isReady),
  };
};
