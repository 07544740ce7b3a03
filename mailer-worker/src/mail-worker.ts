import { MAIL_QUEUE } from '@platform/shared/mail/mail-queue';
import type { RedisClient } from '@platform/shared/redis/connect-redis';
import { type Job, Worker } from 'bullmq';

import type { DeliverMail } from './deliver-mail.ts';

const SENT = 'sent';

type Options = {
  redis: RedisClient;
  concurrency: number;
  ratePerSecond: number;
  deliver: DeliverMail;
  onError: (error: Error) => void;
  onFailure: (details: { mailId: string | undefined; attempt: number | undefined; reason: string }) => void;
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
  worker.on('failed', (job, error) =>
    onFailure({ mailId: job?.id, attempt: job?.attemptsMade, reason: error.message }),
  );
  return {
    /** Ends what it is sending. With Redis away it would wait for its return: then the next worker takes that over. */
    close: () => worker.close(!redis.isReady),
  };
};
