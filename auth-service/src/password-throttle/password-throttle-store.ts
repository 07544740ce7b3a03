import { withRedisTimeout } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import {
  ACCOUNT_LIMIT,
  type Attempt,
  type AttemptCounter,
  FAILURES_EXPIRE_SECONDS,
  FREE_ATTEMPTS,
  MAX_DELAY_SECONDS,
  MAX_PENDING_SECONDS,
  type ThrottleDecision,
} from './password-throttle.ts';

const DELAY = `
  local time = redis.call('TIME')
  local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
  local function delay(tries)
    if tries < tonumber(ARGV[1]) then return end
    local seconds = math.min(2 ^ (tries - tonumber(ARGV[1])), tonumber(ARGV[2]))
    redis.call('HSET', KEYS[1], 'until', string.format('%.0f', now + seconds * 1000))
  end`;

// The attempt counts as a failure before the password is compared, so that parallel attempts cannot share a free one.
// KEYS: the pair of account and network, the account, the number of the pair's pending attempts.
// → {0} allowed | {1, seconds of delay} | {2, seconds until the account limit ends} | {3} pending
const BEGIN = `-- begin-attempt
  ${DELAY}
  local wait = tonumber(redis.call('HGET', KEYS[1], 'until') or '0') - now
  if wait > 0 and redis.call('EXISTS', KEYS[3]) == 1 then return {3, 0} end
  if wait > 0 then return {1, math.ceil(wait / 1000)} end
  if ARGV[5] == '0' and tonumber(redis.call('GET', KEYS[2]) or '0') >= tonumber(ARGV[4]) then
    return {2, math.max(redis.call('TTL', KEYS[2]), 1)}
  end
  delay(redis.call('HINCRBY', KEYS[1], 'tries', 1))
  redis.call('EXPIRE', KEYS[1], ARGV[3])
  if redis.call('INCR', KEYS[2]) == 1 then redis.call('EXPIRE', KEYS[2], ARGV[3]) end
  redis.call('INCR', KEYS[3])
  redis.call('EXPIRE', KEYS[3], ARGV[6])
  return {0, 0}`;

const decrement = (key: string): string => `
  if tonumber(redis.call('GET', ${key}) or '0') > 1 then redis.call('DECR', ${key}) else redis.call('DEL', ${key}) end`;
const NO_LONGER_PENDING = decrement('KEYS[3]');

// The delay counts from the response: the hash alone can take as long as the first delays.
const FAIL = `-- fail-attempt
  ${DELAY}
  ${NO_LONGER_PENDING}
  delay(tonumber(redis.call('HGET', KEYS[1], 'tries') or '0'))
  return {0, 0}`;

const UNCOUNT = `${NO_LONGER_PENDING}
  ${decrement('KEYS[2]')}`;

// A success clears the pair; an attempt without a result (the hashing queue was full) is refunded.
const SUCCEED = `-- succeed-attempt
  redis.call('DEL', KEYS[1])
  ${UNCOUNT}
  return {0, 0}`;
const REFUND = `-- refund-attempt
  if redis.call('EXISTS', KEYS[1]) == 1 then
    redis.call('HINCRBY', KEYS[1], 'tries', -1)
    redis.call('HDEL', KEYS[1], 'until')
  end
  ${UNCOUNT}
  return {0, 0}`;

type KeyOptions = {
  keyPrefix: string;
  /** For subjects that must not appear in Redis, such as e-mails. */
  toKey?: (subject: string) => string;
};

type Keys = [pair: string, account: string, pending: string];

type PasswordThrottleStore = AttemptCounter & {
  /** Forgets the account's failures from all networks; the delays of each network stay. */
  resetAccountLimit: (subject: string) => Promise<void>;
};

/**
 * Counts failed attempts in Redis under the account's key. While Redis is unavailable, each process counts in memory: five
 * attempts of a network at an account in 900 s.
 */
export const createPasswordThrottleStore = (
  redis: RedisClient,
  { keyPrefix, toKey = (subject) => subject }: KeyOptions,
): PasswordThrottleStore => {
  // The braces keep the keys of a script on one node of a cluster.
  const getAccountKey = (subject: string): string => `${keyPrefix}:{${toKey(subject)}}`;
  const memory = new RateLimiterMemory({ points: FREE_ATTEMPTS, duration: MAX_DELAY_SECONDS });

  const getKeys = ({ subject, network }: Attempt): Keys => {
    const account = getAccountKey(subject);
    const pair = `${account}:${network}`;
    return [pair, account, `${pair}:undecided`];
  };
  const run = async (script: string, attempt: Attempt, values: number[] = []): Promise<number[]> =>
    (await withRedisTimeout(
      redis.eval(script, { keys: getKeys(attempt), arguments: values.map(String) }),
    )) as number[];

  const beginInMemory = async (attempt: Attempt): Promise<ThrottleDecision> => {
    // It rejects with a RateLimiterRes when the limit is exceeded.
    const result = await memory.consume(getKeys(attempt)[0]).catch((error: unknown) => error);
    if (!(result instanceof RateLimiterRes)) throw result;
    const isDelayed = result.consumedPoints > FREE_ATTEMPTS;
    return isDelayed
      ? { kind: 'delayed', seconds: Math.ceil(result.msBeforeNext / 1_000) }
      : { kind: 'allowed' };
  };

  return {
    begin: async (attempt, isKnownDevice) => {
      const values = [
        FREE_ATTEMPTS,
        MAX_DELAY_SECONDS,
        FAILURES_EXPIRE_SECONDS,
        ACCOUNT_LIMIT,
        isKnownDevice ? 1 : 0,
        MAX_PENDING_SECONDS,
      ];
      const response = await run(BEGIN, attempt, values).catch(() => undefined);
      if (!response) return await beginInMemory(attempt);
      const [decision = 0, seconds = 0] = response;
      if (decision === 0) return { kind: 'allowed' };
      if (decision === 3) return { kind: 'pending' };
      return { kind: decision === 1 ? 'delayed' : 'account-limit', seconds };
    },

    fail: async (attempt) => {
      await run(FAIL, attempt, [FREE_ATTEMPTS, MAX_DELAY_SECONDS]).catch(() => undefined);
    },

    succeed: async (attempt) => {
      await memory.delete(getKeys(attempt)[0]);
      await run(SUCCEED, attempt).catch(() => undefined);
    },

    refund: async (attempt) => {
      await memory.reward(getKeys(attempt)[0], 1);
      await run(REFUND, attempt).catch(() => undefined);
    },

    resetAccountLimit: async (subject) => {
      await withRedisTimeout(redis.del(getAccountKey(subject))).catch(() => undefined);
    },
  };
};
