import { withRedisTimeout } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { BEGIN, FAIL, REFUND, SUCCEED } from './failure-scripts.ts';
import type { FailureLimit, GuessedSecret } from './guess-limits.ts';

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
