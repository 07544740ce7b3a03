import { DECOY_QUEUE } from '@platform/shared/mail/mail-queue';
import type { QueueRedisClient } from '@platform/shared/redis/redis-client';
import { Worker } from 'bullmq';
import { pauseAfterErrors } from '../worker-pause.ts';

type Options = { redis: QueueRedisClient; concurrency: number; onError: (error: unknown) => void };

/** Takes decoys from their queue as mails are, so that Redis is as busy after a request for an unknown e-mail. */
export const startDecoyWorker = ({ redis, concurrency, onError }: Options) => {
  const worker = new Worker(DECOY_QUEUE, async () => undefined, {
    connection: redis,
    concurrency,
    runRetryDelay: 1_000,
    maxStalledCount: 10,
    skipVersionCheck: true,
  });
  worker.on('error', onError);
  pauseAfterErrors(worker);
  // Without Redis a graceful close would wait forever.
  return { close: () => worker.close(!redis.isReady) };
};
