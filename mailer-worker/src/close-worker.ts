import { setTimeout as delay } from 'node:timers/promises';
import type { RedisClient } from '@platform/shared/redis/connect-redis';
import type { Worker } from 'bullmq';

const WITHOUT_REDIS_MILLISECONDS = 1_000;

/**
 * Finishes what the worker has begun. With Redis away its close would not end; whatever it was working on is taken over
 * once its lock ends.
 */
export const closeWorker = async (worker: Worker, redis: RedisClient): Promise<void> => {
  const closing = worker.close();
  await (redis.isReady ? closing : Promise.race([closing, delay(WITHOUT_REDIS_MILLISECONDS)]));
};
