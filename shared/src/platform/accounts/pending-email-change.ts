import { toRedisKey } from '../../redis/key-families.ts';
import { withRedisTimeout } from '../../redis/redis.ts';
import type { RedisClient } from '../../redis/redis-client.ts';

/** The place of the requested change of an e-mail in the Redis of auth-service. */
export const toPendingChangeKey = (userId: string): string => toRedisKey('email-change:*', userId);

/** Best effort: it expires anyway. */
export const removePendingChange = async (redis: Pick<RedisClient, 'del'>, userId: string): Promise<void> => {
  await withRedisTimeout(redis.del(toPendingChangeKey(userId))).catch(() => undefined);
};
