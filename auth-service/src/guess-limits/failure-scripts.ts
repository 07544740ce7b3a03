import { REQUIRE_HEADROOM } from '../headroom-scripts.ts';
import { MAX_PENDING_SECONDS } from './guess-limits.ts';

// KEYS[1] is a hash of the failures at one secret of one account: for each limit its count and `<name>:until`, the end of the
// last wait, or the time of the last failure, in milliseconds; of the first limit also the number of pending attempts and
// their end. ARGV has six values for each limit, in the order of FailureLimit.
const PRELUDE = `
  local time = redis.call('TIME')
  local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
  local pending = ARGV[1] .. ':pending'
  local function read(field) return tonumber(redis.call('HGET', KEYS[1], field) or '0') end
  local function write(field, value) redis.call('HSET', KEYS[1], field, string.format('%.0f', value)) end
  local limits = {}
  for i = 1, #ARGV, 6 do
    local limit = { name = ARGV[i] }
    for j, field in ipairs({ 'free', 'every', 'firstWait', 'longestWait', 'forgottenAfter' }) do
      limit[field] = tonumber(ARGV[i + j])
    end
    limits[#limits + 1] = limit
  end
  local function getWait(limit)
    local over = read(limit.name) - limit.free
    if over < 0 or over % limit.every ~= 0 then return 0 end
    return math.min(limit.firstWait * 2 ^ (over / limit.every), limit.longestWait)
  end
  local function startWait(limit)
    local wait = getWait(limit)
    write(limit.name .. ':until', now + wait * 1000)
    local seconds = wait + limit.forgottenAfter
    if redis.call('TTL', KEYS[1]) < seconds then redis.call('EXPIRE', KEYS[1], seconds) end
  end
  local function endPending()
    if redis.call('HINCRBY', KEYS[1], pending, -1) <= 0 then redis.call('HDEL', KEYS[1], pending, pending .. '-until') end
  end`;

/** Redis runs the script also when it is full: only existing keys are changed. The second line names it in traces. */
const ofExisting = (name: string, body: string): string => `#!lua flags=allow-oom
-- ${name}
  ${PRELUDE}
  if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
  endPending()
  for _, limit in ipairs(limits) do ${body} end
  return 0`;

/**
 * Counts the attempt as a failure before it is verified, so that parallel attempts cannot share a free one.
 * → {0, failures at the last limit} counted | {number of the limit, seconds to wait} | {-1, 0} wait for pending attempts
 */
export const BEGIN = `-- begin-guess
  ${PRELUDE}
  if redis.call('EXISTS', KEYS[1]) == 0 then ${REQUIRE_HEADROOM} end
  local isPending = read(pending) > 0 and read(pending .. '-until') > now
  for number, limit in ipairs(limits) do
    local left = read(limit.name .. ':until') - now
    if left > 0 and isPending then return {-1, 0} end
    if left > 0 then return {number, math.ceil(left / 1000)} end
    if left < -limit.forgottenAfter * 1000 then redis.call('HDEL', KEYS[1], limit.name) end
  end
  local failures
  for _, limit in ipairs(limits) do
    failures = redis.call('HINCRBY', KEYS[1], limit.name, 1)
    startWait(limit)
  end
  redis.call('HINCRBY', KEYS[1], pending, 1)
  write(pending .. '-until', now + ${MAX_PENDING_SECONDS * 1_000})
  return {0, failures}`;

/** The wait counts from the response: a hash alone can take as long as the first waits. */
export const FAIL = ofExisting('fail-guess', 'if getWait(limit) > 0 then startWait(limit) end');

/** Clears the failures of these limits; those of other networks stay. */
export const SUCCEED = ofExisting(
  'succeed-guess',
  "redis.call('HDEL', KEYS[1], limit.name, limit.name .. ':until')",
);

/** The attempt had no result, for example because the hashing queue was full. */
export const REFUND = ofExisting(
  'refund-guess',
  `if redis.call('HINCRBY', KEYS[1], limit.name, -1) > 0 then write(limit.name .. ':until', now)
    else redis.call('HDEL', KEYS[1], limit.name, limit.name .. ':until') end`,
);
