import { withTimeout } from '../async/tasks.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { FULL_SHARE } from './memory-guard.ts';
import type { RedisClient } from './redis-client.ts';

/** INFO works for accounts that may not read the configuration; `max` is 0 if there is no limit. */
const readRedisMemory = async (redis: RedisClient): Promise<{ used: number; max: number } | undefined> => {
  if (!redis.isReady) return undefined;
  const info = await redis.info('memory');
  const read = (field: string) => Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  return { used: read('used_memory'), max: read('maxmemory') };
};

/** Shorter than a readiness check may take. */
const READ_MILLISECONDS = 400;

/** Whether Redis responds at all is another check, so an unknown memory passes this one. */
const findMemory = (redis: RedisClient) =>
  withTimeout(readRedisMemory(redis), READ_MILLISECONDS, 'Redis took too long').catch(() => undefined);

/** A readiness check that rejects when a Redis is filled to three quarters. */
export const createRedisMemoryCheck =
  (...clients: RedisClient[]) =>
  async (): Promise<void> => {
    for (const memory of await Promise.all(clients.map(findMemory)))
      if (memory && memory.max > 0 && memory.used > FULL_SHARE * memory.max)
        throw new Error(`Redis uses ${memory.used} of ${memory.max} bytes`);
  };

/** The worker reports the Redis of the mail queue, and auth-service that of the codes. */
export const registerRedisMemory = (metrics: Metrics, redis: RedisClient): void =>
  metrics.labeledGauge('redis_memory_bytes', 'Memory of Redis: used, and max or 0', 'state', () =>
    readRedisMemory(redis),
  );
