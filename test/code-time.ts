import { connectBlockingRedis } from '@platform/shared/redis/redis';

/** Simulates that two minutes have passed since the last code to every address. */
export const deleteResendLocks = async (redisUrl: string): Promise<void> => {
  const redis = connectBlockingRedis(redisUrl, () => undefined);
  const locks = await redis.keys('*resend-lock:*');
  if (locks.length > 0) await redis.del(locks);
  redis.destroy();
};
