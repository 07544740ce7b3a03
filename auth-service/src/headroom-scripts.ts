import { withRedisTimeout } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';

const requireHeadroom = (usedShare: number): string => `
  local memory = redis.call('INFO', 'memory')
  local limit = tonumber(string.match(memory, '%smaxmemory:(%d+)') or '0')
  if limit > 0 and tonumber(string.match(memory, 'used_memory:(%d+)')) > ${usedShare} * limit then
    return redis.error_reply('OOM the rest of the memory is reserved')
  end`;

/**
 * For scripts that store something for anonymous clients: they fail while Redis is nearly full, so that the rest of its memory
 * stays free for the mail queue and for signed-in users. To be followed by the rest of a script.
 */
export const REQUIRE_HEADROOM = requireHeadroom(0.75);

/** Fails earlier: nobody needs a ceremony as much as a code or a limit of guesses. */
const SET = `-- set-anonymously
  ${requireHeadroom(0.7)}
  return redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])`;

type Ceremony = { key: string; value: string; seconds: number; purpose: string };

/** Anybody can start a sign-in; other ceremonies are those of users who have proved something. @throws AppError 503 */
export const setCeremony = async (redis: RedisClient, ceremony: Ceremony): Promise<void> => {
  const { key, value, seconds, purpose } = ceremony;
  await withRedisTimeout(
    purpose === 'sign-in'
      ? redis.eval(SET, { keys: [key], arguments: [value, String(seconds)] })
      : redis.set(key, value, { EX: seconds }),
  );
};
