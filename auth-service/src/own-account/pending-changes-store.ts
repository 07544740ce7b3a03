import type { Cipher } from '@platform/shared/encryption/cipher';
import { withRedisTimeout } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import { type AccountState, toStateDigest } from '../accounts/account.ts';
import type { PendingEmailChange } from './own-account.ts';

const toKey = (userId: string): string => `email-change:${userId}`;

type Options = { cipher: Cipher; lifetimeSeconds: number };

/** Requested changes of e-mails, one for each user, encrypted. Every method throws AppError 503 when Redis is unavailable. */
export const createPendingChangeStore = (redis: RedisClient, { cipher, lifetimeSeconds }: Options) => ({
  /** Replaces an earlier change. */
  set: async (userId: string, newEmail: string, state: AccountState): Promise<void> => {
    const pending: PendingEmailChange = { newEmail, accountState: toStateDigest(state) };
    const sealed = cipher.encrypt(JSON.stringify(pending));
    await withRedisTimeout(redis.set(toKey(userId), sealed, { EX: lifetimeSeconds }));
  },

  find: async (userId: string): Promise<PendingEmailChange | undefined> => {
    const sealed = await withRedisTimeout(redis.get(toKey(userId)));
    return sealed === null ? undefined : (JSON.parse(cipher.decrypt(sealed)) as PendingEmailChange);
  },

  /** Best effort: it expires. */
  remove: async (userId: string): Promise<void> => {
    await withRedisTimeout(redis.del(toKey(userId))).catch(() => undefined);
  },
});

export type PendingChangeStore = ReturnType<typeof createPendingChangeStore>;
