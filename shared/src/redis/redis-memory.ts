import type { Metrics } from '../metrics/metrics.ts';
import type { RedisClient } from './redis-client.ts';

/** INFO works for accounts that may not read the configuration; `max` is 0 if there is no limit. */
const readRedisMemory = async (redis: RedisClient): Promise<{ used: number; max: number } | undefined> => {
  if (!redis.isReady) return undefined;
  const info = await redis.info('memory');
  const read = (field: string) => Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  return { used: read('used_memory'), max: read('maxmemory') };
};

/** The worker reports the Redis of the mail queue, and auth-service that of the codes. */
export const registerRedisMemory = (metrics: Metrics, redis: RedisClient): void =>
  metrics.labeledGauge('redis_memory_bytes', 'Memory of Redis: used, and max or 0', 'state', () =>
    readRedisMemory(redis),
  );
