import { FULL_SHARE, requireFreeMemory } from '../../redis/memory-guard.ts';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

// The first line of a script names it in traces (shared/src/tracing/redis-spans.ts).

/** The beginning of a script that `runBeforeDeadline` runs. ARGV[1] is the deadline. */
export const BEFORE_DEADLINE = `
  local time = redis.call('TIME')
  local now = tonumber(time[1])
  if now + time[2] / 1000000 > tonumber(ARGV[1]) then return redis.error_reply('ERR too late') end`;

// Lists of times in seconds, newest first, for exact sliding windows, because fixed windows would allow twice
// the limit around their end. ARGV[first] and the following are the times that are stored under other
// secrets.
const WINDOWS = `
  local function readTimes(key, first)
    local times = {}
    for _, time in ipairs(redis.call('LRANGE', key, 0, -1)) do times[#times + 1] = tonumber(time) end
    for i = first, #ARGV do times[#times + 1] = tonumber(ARGV[i]) end
    table.sort(times, function(one, other) return one > other end)
    return times
  end
  local function secondsUntilFree(times, limit, window)
    return times[limit] and math.max(times[limit] + window - now, 0) or 0
  end`;

/**
 * Stores a code and replaces the previous one. KEYS: code, lock, times of sent codes. ARGV: deadline, hash of
 * the code, its lifetime, that of the lock (0: none is read or set), the session that requested the code (empty if
 * unknown), codes per hour, codes per day, times under other secrets. Returns 0, or the seconds until a code may be sent
 * again.
 */
const reserve = (name: string, condition: string): string => `-- ${name}
  ${condition}
  ${BEFORE_DEADLINE}${WINDOWS}
  local locks = tonumber(ARGV[4]) > 0
  local sent = readTimes(KEYS[3], 8)
  local seconds = math.max(
    locks and math.ceil(redis.call('PTTL', KEYS[2]) / 1000) or 0,
    secondsUntilFree(sent, tonumber(ARGV[6]), ${HOUR_SECONDS}),
    secondsUntilFree(sent, tonumber(ARGV[7]), ${DAY_SECONDS}))
  if seconds > 0 then return seconds end
  if locks then redis.call('SET', KEYS[2], 'sent', 'EX', ARGV[4]) end
  redis.call('LPUSH', KEYS[3], now)
  redis.call('LTRIM', KEYS[3], 0, ARGV[7] - 1)
  redis.call('EXPIRE', KEYS[3], ${DAY_SECONDS})
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'hash', ARGV[2], 'tries', 0, 'requested-by', ARGV[5])
  redis.call('EXPIRE', KEYS[1], ARGV[3])
  return 0`;
export const RESERVE = reserve('reserve-code', '');
export const RESERVE_ANONYMOUSLY = reserve('reserve-code-anonymously', requireFreeMemory(FULL_SHARE));

/**
 * Undoes `reserve`. Needs no deadline, because it checks the hash. KEYS: code, lock, times of sent codes.
 * ARGV: hash of the code.
 */
export const RELEASE = `-- release-code
  if redis.call('HGET', KEYS[1], 'hash') ~= ARGV[1] then return 0 end
  redis.call('LPOP', KEYS[3])
  return redis.call('DEL', KEYS[1], KEYS[2])`;
