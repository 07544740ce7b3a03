import { BEFORE_DEADLINE } from '../src/platform/codes/email-code-scripts.ts';
import { runBeforeDeadline } from '../src/platform/codes/email-codes-store.ts';
import type { RedisClient } from '../src/redis/redis-client.ts';

/**
 * Moves the time of the keys back by ARGV[2] seconds: their TTL, and the Unix times that are members of lists, scores
 * of sorted sets, or, in milliseconds, fields of hashes that end with `until`. Returns the earlier PTTL of each key.
 */
const PASS_TIME = `-- pass-time
  ${BEFORE_DEADLINE}
  local seconds = tonumber(ARGV[2])
  local function earlier(time, passed) return string.format('%.0f', time - passed) end
  local function isTime(text) return text:match('^1%d%d%d%d%d%d%d%d%d$') end
  local move = {
    hash = function(key)
      local fields = redis.call('HGETALL', key)
      for i = 1, #fields, 2 do
        if fields[i]:match('until$') then redis.call('HSET', key, fields[i], earlier(fields[i + 1], seconds * 1000)) end
      end
    end,
    list = function(key)
      for i, time in ipairs(redis.call('LRANGE', key, 0, -1)) do
        if isTime(time) then redis.call('LSET', key, i - 1, earlier(time, seconds)) end
      end
    end,
    zset = function(key)
      local members = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
      for i = 1, #members, 2 do
        if isTime(members[i + 1]) then redis.call('ZADD', key, earlier(members[i + 1], seconds), members[i]) end
      end
    end
  }
  local lasted = {}
  for i, key in ipairs(KEYS) do
    local moveValue = move[redis.call('TYPE', key).ok]
    if moveValue then moveValue(key) end
    lasted[i] = redis.call('PTTL', key)
    if lasted[i] > 0 then redis.call('PEXPIRE', key, math.floor(math.max(lasted[i] - seconds * 1000, 0))) end
  end
  return lasted`;

/**
 * Simulates that this many seconds have passed for the values of these keys. Returns the milliseconds that each had
 * left before; less than 0 for a key that does not exist or never expires. @throws AppError 503
 */
export const passTimeOfKeys = async (
  redis: Pick<RedisClient, 'eval' | 'time'>,
  keys: string[],
  seconds: number,
): Promise<number[]> =>
  (await runBeforeDeadline(redis as RedisClient, PASS_TIME, keys, [String(seconds)])) as number[];
