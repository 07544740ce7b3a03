import { withRedisTimeout } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import type { PendingEmailChange } from './own-account.ts';

const toKey = (userId: string): string => `email-change:${userId}`;

/** Requested changes of e-mails, one for each user. Every method throws AppError 503 when Redis is unavailable. */
export const createPendingChangeStore = (redis: RedisClient, lifetimeSeconds: number) => ({
  /** Replaces an earlier change. */
  set: async (userId: string, change: PendingEmailChange): Promise<void> => {
    await withRedisTimeout(redis.set(toKey(userId), JSON.stringify(change), { EX: lifetimeSeconds }));
  },

  find: async (userId: string): Promise<PendingEmailChange | undefined> => {
    const found = await withRedisTimeout(redis.get(toKey(userId)));
    return typeof found === 'string' ? (JSON.parse(found) as PendingEmailChange) : undefined;
  },
});

export type PendingChangeStore = ReturnType<typeof createPendingChangeStore>;
