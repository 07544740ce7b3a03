import { withRedisTimeout } from '../../redis/redis.ts';
import type { RedisClient } from '../../redis/redis-client.ts';

/** The place of a code in Redis, and its keyed hash; auth-service stores it as the field `hash`. */
export type StoredCode = { key: string; hash: string };

/** False if the code has expired, or was used, exhausted or replaced. @throws AppError 503 */
export const isStored = async (
  redis: Pick<RedisClient, 'hGet'>,
  { key, hash }: StoredCode,
): Promise<boolean> => (await withRedisTimeout(redis.hGet(key, 'hash'))) === hash;
