import { inTime, type RedisClient } from '@platform/shared/redis/connect-redis';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import {
  ACCOUNT_CEILING,
  type Attempt,
  FORGET_SECONDS,
  FREE_TRIES,
  LONGEST_DELAY_SECONDS,
  LONGEST_WAIT_SECONDS,
  type Verdict,
} from './sign-in-throttle.ts';

const DELAY = `
  local time = redis.call('TIME')
  local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
  local function delay(tries)
    if tries < tonumber(ARGV[1]) then return end
    local seconds = math.min(2 ^ (tries - tonumber(ARGV[1])), tonumber(ARGV[2]))
    redis.call('HSET', KEYS[1], 'until', string.format('%.0f', now + seconds * 1000))
  end`;

// The try is counted as a failure before the password is looked at, so that parallel tries cannot share a free one.
// KEYS: the pair of account and address, the account, the pair's tries that are being judged.
// → {0} | {1, seconds of delay} | {2, seconds until the ceiling lifts} | {3} while it depends on those being judged
const BEGIN = `${DELAY}
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

const lower = (key: string): string => `
  if tonumber(redis.call('GET', ${key}) or '0') > 1 then redis.call('DECR', ${key}) else redis.call('DEL', ${key}) end`;
const JUDGED = lower('KEYS[3]');

// The delay counts from the answer: the hash alone can take as long as the first ones.
const FAIL = `${DELAY}
  ${JUDGED}
  delay(tonumber(redis.call('HGET', KEYS[1], 'tries') or '0'))
  return {0, 0}`;

const UNCOUNT = `${JUDGED}
  ${lower('KEYS[2]')}`;

// A success clears the pair; a try that was not judged (the hashing queue was full) is taken back.
const SUCCEED = `
  redis.call('DEL', KEYS[1])
  ${UNCOUNT}
  return {0, 0}`;
const TAKE_BACK = `
  if redis.call('EXISTS', KEYS[1]) == 1 then
    redis.call('HINCRBY', KEYS[1], 'tries', -1)
    redis.call('HDEL', KEYS[1], 'until')
  end
  ${UNCOUNT}
  return {0, 0}`;

/** Failed sign-ins in Redis; while it is away each process counts for itself, more simply. */
export const createSignInThrottleStore = (redis: RedisClient, hashEmail: (email: string) => string) => {
  const memory = new RateLimiterMemory({ points: FREE_TRIES, duration: LONGEST_DELAY_SECONDS });

  const keysOf = ({ email, address }: Attempt): string[] => {
    const account = `{${hashEmail(email)}}`;
    const pair = `sign-in-failures:${account}:${address}`;
    return [pair, `sign-in-failures:${account}`, `${pair}:undecided`];
  };
  const run = async (script: string, attempt: Attempt, values: number[] = []): Promise<number[]> =>
    (await inTime(redis.eval(script, { keys: keysOf(attempt), arguments: values.map(String) }))) as number[];

  const beginInMemory = async (attempt: Attempt): Promise<Verdict> => {
    const result = await memory.consume(keysOf(attempt)[0] ?? '').catch((refusal: unknown) => refusal);
    if (!(result instanceof RateLimiterRes)) throw result;
    const isDelayed = result.consumedPoints > FREE_TRIES;
    return isDelayed
      ? { kind: 'delayed', seconds: Math.ceil(result.msBeforeNext / 1_000) }
      : { kind: 'allowed' };
  };

  return {
    /** Counts a try and says whether it may be made; a refused one is not counted. */
    begin: async (attempt: Attempt, isKnownDevice: boolean): Promise<Verdict> => {
      const values = [
        FREE_TRIES,
        LONGEST_DELAY_SECONDS,
        FORGET_SECONDS,
        ACCOUNT_CEILING,
        isKnownDevice ? 1 : 0,
        LONGEST_WAIT_SECONDS,
      ];
      const answer = await run(BEGIN, attempt, values).catch(() => undefined);
      if (!answer) return await beginInMemory(attempt);
      const [verdict = 0, seconds = 0] = answer;
      if (verdict === 0) return { kind: 'allowed' };
      if (verdict === 3) return { kind: 'undecided' };
      return { kind: verdict === 1 ? 'delayed' : 'ceiling', seconds };
    },

    /** The password was wrong. */
    fail: async (attempt: Attempt): Promise<void> => {
      await run(FAIL, attempt, [FREE_TRIES, LONGEST_DELAY_SECONDS]).catch(() => undefined);
    },

    /** The password was right. */
    succeed: async (attempt: Attempt): Promise<void> => {
      await memory.delete(keysOf(attempt)[0] ?? '');
      await run(SUCCEED, attempt).catch(() => undefined);
    },

    /** The password was not judged. */
    takeBack: async (attempt: Attempt): Promise<void> => {
      await memory.reward(keysOf(attempt)[0] ?? '', 1);
      await run(TAKE_BACK, attempt).catch(() => undefined);
    },
  };
};

export type SignInThrottleStore = ReturnType<typeof createSignInThrottleStore>;
