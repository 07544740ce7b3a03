import { tooManyRequests } from '@platform/shared/errors/app-error';
import {
  type ClientNetworks,
  getClientAddress,
  toClientNetworks,
  WIDER_NETWORK_FACTOR,
} from '@platform/shared/http/client-address';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import type { RequestHandler, Response } from 'express';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import { isHealthRoute, stripQuery } from '../upstreams.ts';
import type { LimitFinder, OperationLimit } from './operation-limits.ts';

const WINDOW_SECONDS = 60;
/**
 * Requests per minute and client network. `all` is the overall limit; the others slow down guessing and mail
 * bombing.
 */
const REQUESTS_PER_MINUTE = { all: 600, 'sign-in': 60, codes: 30, contact: 20 } as const satisfies Record<
  OperationLimit | 'all',
  number
>;
export type LimitName = keyof typeof REQUESTS_PER_MINUTE;

type Count = { name: LimitName; points: number; remaining: number; milliseconds: number };

const isExceeded = ({ remaining }: Count): boolean => remaining < 0;
const findTightest = (counts: readonly Count[]): Count =>
  counts.reduce((one, other) => (other.remaining < one.remaining ? other : one));

/**
 * Counts in Redis with one round trip, and in memory while Redis is unavailable. Without `redis`, it counts
 * only in memory.
 */
const createLimiter = (name: LimitName, points: number, redis: RedisClient | undefined) => {
  const options = { keyPrefix: `limit:${name}`, points, duration: WINDOW_SECONDS };
  const memory = new RateLimiterMemory(options);
  if (!redis) return memory;
  return new RateLimiterRedis({
    ...options,
    storeClient: redis,
    useRedisPackage: true,
    rejectIfRedisNotReady: true,
    insuranceLimiter: memory,
  });
};

/**
 * Counts requests first for the client network, then for the wider one. Otherwise requests that the network's
 * limit rejects would use up the limit of its neighbours.
 */
const createLimit = (name: LimitName, scale: number, redis?: RedisClient) => {
  const networkPoints = Math.max(1, Math.floor(REQUESTS_PER_MINUTE[name] * scale));
  const createCounter = (points: number) => {
    const limiter = createLimiter(name, points, redis);
    return async (network: string, requests: number): Promise<Count> => {
      // Unlike `consume`, this counts without rejecting.
      const { consumedPoints, msBeforeNext } = await limiter.penalty(network, requests);
      return { name, points, remaining: points - consumedPoints, milliseconds: msBeforeNext };
    };
  };
  const countNetwork = createCounter(networkPoints);
  const countWider = createCounter(networkPoints * WIDER_NETWORK_FACTOR);
  return async ([network, wider]: ClientNetworks, requests = 1): Promise<Count> => {
    const count = await countNetwork(network, requests);
    if (wider === undefined || isExceeded(count)) return count;
    return findTightest([count, await countWider(wider, requests)]);
  };
};

/**
 * draft-ietf-httpapi-ratelimit-headers: quota `q` and window `w`; remaining requests `r` and seconds to the
 * reset `t`.
 */
const setRateLimitHeaders = (res: Response, { name, points, remaining, milliseconds }: Count) => {
  res.setHeader('RateLimit-Policy', `"${name}";q=${points};w=${WINDOW_SECONDS}`);
  res.setHeader('RateLimit', `"${name}";r=${Math.max(0, remaining)};t=${Math.ceil(milliseconds / 1_000)}`);
};

type Options = {
  scale: number;
  redis: RedisClient | undefined;
  findLimits: LimitFinder;
  metrics: GatewayMetrics;
};

/**
 * The overall limit is counted only in memory, because a round trip to Redis for each request would cost more
 * than the rest of the gateway.
 */
const createLimits = ({ scale, redis }: Options) => ({
  all: createLimit('all', scale),
  'sign-in': createLimit('sign-in', scale, redis),
  codes: createLimit('codes', scale, redis),
  contact: createLimit('contact', scale, redis),
});

/**
 * `consume` runs before CORS, so that every response has the rate limit headers, including preflights.
 * `enforce` runs after CORS, so that browsers can read the 429. Responses of health routes have the headers,
 * but are neither counted nor limited.
 */
export const createRateLimits = (options: Options) => {
  const limits = createLimits(options);

  const consume: RequestHandler = async (req, res, next) => {
    const networks = toClientNetworks(getClientAddress(req));
    const isLimited = !isHealthRoute(req.url);
    const names = options.findLimits(req.method, stripQuery(req.url));
    req.state.rateLimits = names;
    const counts = await Promise.all([
      limits.all(networks, isLimited ? 1 : 0),
      ...names.map((name) => limits[name](networks)),
    ]);
    // The HTTP parser may have rejected the rest of the request, and ended its response, during the round
    // trips.
    if (res.headersSent) return;
    const count = findTightest(counts);
    setRateLimitHeaders(res, count);
    if (isLimited && isExceeded(count)) {
      const retryAfterSeconds = Math.max(1, Math.ceil(count.milliseconds / 1_000));
      req.state.exceededLimit = { name: count.name, retryAfterSeconds };
    }
    next();
  };

  const enforce: RequestHandler = ({ state: { exceededLimit } }, _res, next) => {
    if (exceededLimit !== undefined) {
      const { name, retryAfterSeconds } = exceededLimit;
      options.metrics.countRateLimited({ limit: name });
      throw tooManyRequests('RATE_LIMITED', 'Too many requests; retry later.', retryAfterSeconds);
    }
    next();
  };

  return { consume, enforce };
};

export type RateLimits = ReturnType<typeof createRateLimits>;
