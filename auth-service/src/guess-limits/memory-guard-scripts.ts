import { withRedisTimeout } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';

const requireFreeMemory = (usedShare: number): string => `
  local memory = redis.call('INFO', 'memory')
  local limit = tonumber(string.match(memory, '%smaxmemory:(%d+)') or '0')
  if limit > 0 and tonumber(string.match(memory, 'used_memory:(%d+)')) > ${usedShare} * limit then
    return redis.error_reply('OOM the rest of the memory is reserved')
  end`;

/**
 * The beginning of scripts that store something for anonymous clients. They fail while Redis is nearly full,
 * so that the rest of its memory stays free for the mail queue and for signed-in users.
 */
export const REQUIRE_FREE_MEMORY = requireFreeMemory(0.75);

/** New ceremonies are shed first. */
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
