import { requireFreeMemory } from '@platform/shared/redis/memory-guard';
import { withRedisTimeout } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';

/** Ceremonies may fill less of the memory than e-mail codes, so new ceremonies are shed first. */
const SET = `-- set-anonymously
  ${requireFreeMemory(0.7)}
  return redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])`;

type Ceremony = { key: string; value: string; seconds: number; purpose: string };

/**
 * Anybody can start a sign-in, but other ceremonies need a user who has already proved something. @throws
 * AppError 503
 */
export const setCeremony = async (redis: RedisClient, ceremony: Ceremony): Promise<void> => {
  const { key, value, seconds, purpose } = ceremony;
  await withRedisTimeout(
    purpose === 'sign-in'
      ? redis.eval(SET, { keys: [key], arguments: [value, String(seconds)] })
      : redis.set(key, value, { EX: seconds }),
  );
};
