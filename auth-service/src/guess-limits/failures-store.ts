import { type Database, query } from '@platform/shared/db/database';
import { withRedisTimeout } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { BEGIN, FAIL, REFUND, SUCCEED } from './failure-scripts.ts';
import {
  ACCOUNT_FAILURES,
  type FailureLimit,
  FIRST_PAUSE_SECONDS,
  type GuessedSecret,
  LONGEST_PAUSE_SECONDS,
} from './guess-limits.ts';

/** The failures at one secret of one account. */
export type FailureCounts = { secret: GuessedSecret; subject: string; limits: FailureLimit[] };

export type FailureDecision =
  | { kind: 'counted'; failures: number }
  | { kind: 'wait'; limit: FailureLimit; seconds: number }
  /** The free attempts are being verified: their results decide whether this one is allowed. */
  | { kind: 'pending' };

type End = (counts: FailureCounts) => Promise<unknown>;
export type FailureStore = {
  begin: (counts: FailureCounts) => Promise<FailureDecision>;
  fail: End;
  succeed: End;
  refund: End;
};

/** The braces keep an account on one node of a cluster. */
const toKey = ({ secret, subject }: FailureCounts): string => `${secret}-failures:{${subject}}`;

const toArguments = ({ limits }: FailureCounts): string[] =>
  limits.flatMap(({ name, free, every, firstWait, longestWait, forgottenAfter }) =>
    [name, free, every, firstWait, longestWait, forgottenAfter].map(String),
  );

/** Counts failures in Redis. Every method throws AppError 503 when Redis is unavailable. */
export const createFailureStore = (redis: RedisClient): FailureStore => {
  const run = (script: string, counts: FailureCounts): Promise<unknown> =>
    withRedisTimeout(redis.eval(script, { keys: [toKey(counts)], arguments: toArguments(counts) }));

  return {
    begin: async (counts) => {
      const [number = 0, value = 0] = (await run(BEGIN, counts)) as number[];
      if (number < 0) return { kind: 'pending' };
      const limit = counts.limits[number - 1];
      return limit ? { kind: 'wait', limit, seconds: value } : { kind: 'counted', failures: value };
    },
    fail: (counts) => run(FAIL, counts),
    succeed: (counts) => run(SUCCEED, counts),
    refund: (counts) => run(REFUND, counts),
  };
};

/** Counts in the memory of this process: of each limit, the free failures of an account in `longestWait`. */
export const createFailureMemory = (): FailureStore => {
  const limiters = new Map<string, RateLimiterMemory>();
  const getLimiter = ({ free, longestWait }: FailureLimit): RateLimiterMemory => {
    const key = `${free}/${longestWait}`;
    const limiter = limiters.get(key) ?? new RateLimiterMemory({ points: free, duration: longestWait });
    limiters.set(key, limiter);
    return limiter;
  };
  const toMemoryKey = (counts: FailureCounts, { name }: FailureLimit): string => `${toKey(counts)}:${name}`;

  return {
    begin: async (counts) => {
      for (const limit of counts.limits) {
        // It rejects with a RateLimiterRes when the limit is exceeded.
        const result = await getLimiter(limit)
          .consume(toMemoryKey(counts, limit))
          .catch((error: unknown) => error);
        if (!(result instanceof RateLimiterRes)) throw result;
        if (result.consumedPoints > limit.free)
          return { kind: 'wait', limit, seconds: Math.ceil(result.msBeforeNext / 1_000) };
      }
      return { kind: 'counted', failures: 0 };
    },
    fail: async () => undefined,
    succeed: async (counts) => {
      for (const limit of counts.limits) await getLimiter(limit).delete(toMemoryKey(counts, limit));
    },
    refund: async (counts) => {
      for (const limit of counts.limits) await getLimiter(limit).reward(toMemoryKey(counts, limit), 1);
    },
  };
};

// The exponent is limited because the interval of a greater one would overflow.
const COUNT_AT_ACCOUNT = `
  insert into failed_guesses as f (user_id, secret, failures) values ($1, $2, 1)
  on conflict (user_id, secret) do update set failures = f.failures + 1,
    paused_until = case when (f.failures + 1) % ${ACCOUNT_FAILURES} <> 0 then f.paused_until else now() + make_interval(
      secs => least(${FIRST_PAUSE_SECONDS} * power(2, least((f.failures + 1) / ${ACCOUNT_FAILURES} - 1, 10)), ${LONGEST_PAUSE_SECONDS})) end
  where $3 or coalesce(f.paused_until <= now(), true)
  returning failures`;

const REFUND_AT_ACCOUNT = `
  update failed_guesses set failures = failures - 1,
    paused_until = case when failures % ${ACCOUNT_FAILURES} = 0 then null else paused_until end
  where user_id = $1 and secret = $2 and failures > 0`;

/**
 * Consecutive failures of each account, and its pauses. In Postgres, so that they hold when Redis is full, restarted or
 * unavailable: an attacker could bring about each of these.
 */
export const createPausedAccountStore = (database: Database) => ({
  /** Counts an attempt as a failure before it is verified; returns the consecutive ones, or undefined during a pause. */
  count: async (userId: string, secret: GuessedSecret, isExempt: boolean): Promise<number | undefined> => {
    const [row] = await query<{ failures: number }>(database, {
      name: 'count-guess',
      text: COUNT_AT_ACCOUNT,
      values: [userId, secret, isExempt],
    });
    return row?.failures;
  },

  /** 0 without a pause. The user may be unknown. */
  findPauseSeconds: async (userId: string, secret: GuessedSecret): Promise<number> => {
    const seconds = database.raw('ceil(extract(epoch from paused_until - now()))::int as seconds');
    const paused = database('failed_guesses')
      .where({ userId, secret })
      .where('pausedUntil', '>', database.fn.now());
    return (await paused.first(seconds))?.seconds ?? 0;
  },

  /** The counted attempt had no result. */
  refund: async (userId: string, secret: GuessedSecret): Promise<void> => {
    await query(database, { name: 'refund-guess', text: REFUND_AT_ACCOUNT, values: [userId, secret] });
  },

  clear: async (userId: string, secret: GuessedSecret): Promise<void> => {
    await database('failed_guesses').where({ userId, secret }).delete();
  },
});
