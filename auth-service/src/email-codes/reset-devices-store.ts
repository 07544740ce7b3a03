import type { KeyedHash } from '@platform/shared/platform/codes/keyed-hashes';
import { toRedisKey } from '@platform/shared/redis/key-families';
import { withRedisTimeout } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import type { AccountWithPassword } from '../accounts/account.ts';

const LIFETIME_SECONDS = 900;

type ResetAccount = Pick<AccountWithPassword, 'userId' | 'factorVersion'>;

/**
 * The devices that have reset a password by a code, and so need no second code from the same mailbox to sign
 * in. The first sign-in makes the device a known one. Whatever makes the account forget its devices gives it a
 * new version, for which no device is stored here.
 */
export const createResetDeviceStore = (redis: RedisClient, hash: KeyedHash) => {
  const toKey = ({ userId, factorVersion }: ResetAccount, fingerprint: string): string =>
    toRedisKey('reset-device:*', hash('reset device', userId, String(factorVersion), fingerprint));

  return {
    /** The value is for the test bench, which looks for the keys of an account. @throws AppError 503 */
    add: async (account: ResetAccount, fingerprint: string): Promise<void> => {
      await withRedisTimeout(
        redis.set(toKey(account, fingerprint), account.userId, { EX: LIFETIME_SECONDS }),
      );
    },

    /** @throws AppError 503 */
    has: async (account: ResetAccount, fingerprint: string): Promise<boolean> =>
      (await withRedisTimeout(redis.exists(toKey(account, fingerprint)))) === 1,
  };
};

export type ResetDeviceStore = ReturnType<typeof createResetDeviceStore>;
