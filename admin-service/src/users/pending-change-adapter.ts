import { removePendingChange } from '@platform/shared/platform/accounts/pending-email-change';
import { connectRedis, untilReady } from '@platform/shared/redis/redis';

/** Removes requested changes of e-mails, which auth-service stores in this Redis. */
export const createPendingChangeAdapter = (redisUrl: string, onError: (error: Error) => void) => {
  const redis = connectRedis(redisUrl, onError);
  return {
    /** Best effort, because the account is already deleted. The first call connects. */
    remove: async (userId: string): Promise<void> => {
      await untilReady(redis).catch(() => undefined);
      await removePendingChange(redis, userId);
    },

    close: (): void => redis.destroy(),
  };
};

export type PendingChangeAdapter = ReturnType<typeof createPendingChangeAdapter>;
