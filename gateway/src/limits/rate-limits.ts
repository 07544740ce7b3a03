import { tooManyRequests } from '@platform/shared/errors/app-error';
import {
  type ClientNetworks,
  getClientNetworks,
  WIDER_NETWORK_FACTOR,
} from '@platform/shared/network/client-address';
import { toRedisKey } from '@platform/shared/redis/key-families';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import type { RequestHandler, Response } from 'express';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { isPreflight } from '../cors.ts';
import { isHealthRoute, stripQuery } from '../upstreams.ts';
import type { LimitMetrics } from './limit-metrics.ts';
import type { OperationFinder } from './operation-limits.ts';
import { findPageLimit } from './page-limits.ts';
import { LIMIT_NAMES, type LimitName, OPERATION_LIMITS, REQUESTS_PER_MINUTE } from './requests-per-minute.ts';

const WINDOW_SECONDS = 60;

type Count = { name: LimitName; points: number; remaining: number; milliseconds: number };

const isExceeded = ({ remaining }: Count): boolean => remaining < 0;
const findTightest = (counts: readonly Count[]): Count =>
  counts.reduce((one, other) => (other.remaining < one.remaining ? other : one));

/**
 * Counts in Redis with one round trip, and in memory while Redis is unavailable. Without `redis`, it counts
 * only in memory.
 */
const createLimiter = (name: LimitName, points: number, redis: RedisClient | undefined) => {
  const options = { keyPrefix: toRedisKey('limit:*', name), points, duration: WINDOW_SECONDS };
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
  findOperation: OperationFinder;
  metrics: LimitMetrics;
};

/**
 * Only the limits of operations are counted in Redis. For the overall limit, a round trip for each request
 * would cost more than the rest of the gateway. The limits of pages protect only this process.
 */
const createLimits = ({ scale, redis }: Options) => {
  const create = (name: LimitName) => createLimit(name, scale, name in OPERATION_LIMITS ? redis : undefined);
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, create(name)])) as Record<
    LimitName,
    ReturnType<typeof create>
  >;
};

/**
 * `consume` runs before CORS, so that every response has the rate limit headers, including preflights.
 * `enforce` runs after CORS, so that browsers can read the 429. Responses of health routes have the headers,
 * but are neither counted nor limited.
 */
export const createRateLimits = (options: Options) => {
  const limits = createLimits(options);
  /** Most requests have no other limit than the overall one. */
  const countTightest = (networks: ClientNetworks, requests: 0 | 1, others: readonly LimitName[]) => {
    const overall = limits.all(networks, requests);
    if (others.length === 0) return overall;
    return Promise.all([overall, ...others.map((name) => limits[name](networks))]).then(findTightest);
  };

  const consume: RequestHandler = async (req, res, next) => {
    const networks = getClientNetworks(req);
    const isLimited = !isHealthRoute(req.url);
    const path = stripQuery(req.url);
    // Otherwise a sign-in from another origin would count twice.
    const isCountedByPath = !isPreflight(req);
    const { limits: names, operation } = isCountedByPath
      ? options.findOperation(req.method, path)
      : { limits: [] };
    if (operation !== undefined) req.state.publicOperation = operation;
    const pageLimit = isCountedByPath ? findPageLimit(path) : undefined;
    req.state.rateLimits = names;
    const others = pageLimit === undefined ? names : [...names, pageLimit];
    const count = await countTightest(networks, isLimited ? 1 : 0, others);
    // The HTTP parser may have rejected the rest of the request, and ended its response, during the round
    // trips.
    if (res.headersSent) return;
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
