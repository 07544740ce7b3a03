import type { Cipher } from '@platform/shared/encryption/cipher';
import {
  removePendingChange,
  toPendingChangeKey,
} from '@platform/shared/platform/accounts/pending-email-change';
import { CODE_LIFETIME_SECONDS } from '@platform/shared/platform/codes/email-code';
import { withRedisTimeout } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import { type AccountState, toStateDigest } from '../accounts/account-state.ts';
import type { PendingEmailChange } from './own-account.ts';

/**
 * Stores requested changes of e-mails, one for each user, encrypted. Every method throws AppError 503 if
 * Redis is unavailable.
 */
export const createPendingChangeStore = (redis: RedisClient, cipher: Cipher) => ({
  /** Replaces an earlier change. */
  set: async (userId: string, newEmail: string, state: AccountState): Promise<void> => {
    const pending: PendingEmailChange = { newEmail, accountState: toStateDigest(state) };
    const sealed = cipher.encrypt(JSON.stringify(pending));
    await withRedisTimeout(redis.set(toPendingChangeKey(userId), sealed, { EX: CODE_LIFETIME_SECONDS }));
  },

  find: async (userId: string): Promise<PendingEmailChange | undefined> => {
    const sealed = await withRedisTimeout(redis.get(toPendingChangeKey(userId)));
    return sealed === null ? undefined : (JSON.parse(cipher.decrypt(sealed)) as PendingEmailChange);
  },

  /** The seconds until the change expires. */
  findSecondsLeft: async (userId: string): Promise<number> => {
    const milliseconds = await withRedisTimeout(redis.pTTL(toPendingChangeKey(userId)));
    return Math.ceil(Math.max(0, milliseconds) / 1_000);
  },

  /** Best effort: it expires anyway. */
  remove: (userId: string): Promise<void> => removePendingChange(redis, userId),
});

export type PendingChangeStore = ReturnType<typeof createPendingChangeStore>;
