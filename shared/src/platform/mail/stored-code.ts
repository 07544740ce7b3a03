import { withRedisTimeout } from '../../redis/redis.ts';
import type { RedisClient } from '../../redis/redis-client.ts';

/** The user's columns that a code depends on. It is void as soon as they have other values. */
export type CodeHolder = { id: string; factorVersion?: number; isEmailVerified?: boolean };

/** The place of a code in Redis, and its keyed hash; auth-service stores it as the field `hash`. */
export type StoredCode = { key: string; hash: string; holder?: CodeHolder };

/** False if the code has expired, or was used, exhausted or replaced. @throws AppError 503 */
export const isStored = async (
  redis: Pick<RedisClient, 'hGet'>,
  { key, hash }: StoredCode,
): Promise<boolean> => (await withRedisTimeout(redis.hGet(key, 'hash'))) === hash;
