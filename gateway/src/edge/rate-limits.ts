import { tooManyRequests } from '@platform/shared/errors/app-error';
import { getClientAddress, toClientSubnet } from '@platform/shared/http/client-address';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import type { RequestHandler, Response } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import { stripQuery } from '../upstreams.ts';

const WINDOW_SECONDS = 60;
/** Requests per minute and client network. `all` is the global limit; the route limits slow down guessing and mail bombing. */
const REQUESTS_PER_MINUTE = { all: 600, 'sign-in': 60, codes: 30, contact: 20 } as const;

type RateLimit = keyof typeof REQUESTS_PER_MINUTE;

const KINDS = '(?:customers/auth|employees/auth|auth/admin)';
/** Sign-ins, and routes that check a password as slowly or read as much. */
const SIGN_IN_ROUTES = [
  'sign-in(?:/(?:second-factor|passkey)(?:/options)?)?',
  'sign-up',
  'register',
  'refresh/token',
  'second-factor/(?:totp|recovery-codes)',
  'passkeys/[^/]+',
  'account/(?:delete|export)',
];
/** Routes that check or mail a code. */
const CODE_ROUTES = [
  'verification/email/code(?:/check)?',
  'reset-password/email/code(?:/send)?',
  'email/change(?:/check)?',
  'second-factor/totp/confirm',
];
const toPattern = (routes: readonly string[]) => new RegExp(`^/api/v1/${KINDS}/(?:${routes.join('|')})$`);

const ROUTE_LIMITS: readonly [RateLimit, RegExp][] = [
  ['sign-in', toPattern(SIGN_IN_ROUTES)],
  ['codes', toPattern(CODE_ROUTES)],
  ['contact', /^\/api\/v1\/contact\//],
];

/** The services route case-sensitively and without a trailing slash, so other spellings of these paths get 404. */
const findRouteLimit = (path: string): RateLimit | undefined =>
  ROUTE_LIMITS.find(([, paths]) => paths.test(path))?.[0];

type Count = Pick<RateLimiterRes, 'consumedPoints' | 'remainingPoints' | 'msBeforeNext'>;
type Limiter = { name: RateLimit; points: number; consume: (key: string) => Promise<Count> };

/**
 * Sent in one write, but not as a script, which takes more than twice as much processor time of Redis. The counter alone
 * decides, and it is atomic.
 */
const countInRedis = async (redis: RedisClient, key: string, points: number): Promise<Count> => {
  const [consumedPoints, milliseconds] = await Promise.all([redis.incr(key), redis.pTTL(key)]);
  // A new counter, or one whose gateway ended before it set the expiry.
  const isEndless = milliseconds < 0;
  if (isEndless) await redis.expire(key, WINDOW_SECONDS);
  return {
    consumedPoints,
    remainingPoints: Math.max(0, points - consumedPoints),
    msBeforeNext: isEndless ? WINDOW_SECONDS * 1_000 : milliseconds,
  };
};

/** Counts in Redis, and in memory while Redis is unavailable. */
const createLimiter = (name: RateLimit, scale: number, redis: RedisClient | undefined): Limiter => {
  const points = Math.max(1, Math.floor(REQUESTS_PER_MINUTE[name] * scale));
  const memory = new RateLimiterMemory({ points, duration: WINDOW_SECONDS });
  const countInMemory = (key: string): Promise<Count> =>
    memory.consume(key).catch((rejection: unknown) => {
      if (rejection instanceof RateLimiterRes) return rejection;
      throw rejection;
    });
  const consume = (key: string): Promise<Count> =>
    redis?.isReady
      ? countInRedis(redis, `limit:${name}:${key}`, points).catch(() => countInMemory(key))
      : countInMemory(key);
  return { name, points, consume };
};

/** draft-ietf-httpapi-ratelimit-headers: quota `q` and window `w`; remaining requests `r` and seconds to the reset `t`. */
const setRateLimitHeaders = (
  res: Response,
  { name, points }: Limiter,
  { remainingPoints, msBeforeNext }: Count,
) => {
  res.setHeader('RateLimit-Policy', `"${name}";q=${points};w=${WINDOW_SECONDS}`);
  res.setHeader('RateLimit', `"${name}";r=${remainingPoints};t=${Math.ceil(msBeforeNext / 1_000)}`);
};

const isExceeded = ({ points }: Limiter, { consumedPoints }: Count) => consumedPoints > points;

type Options = { scale: number; redis: RedisClient | undefined; metrics: GatewayMetrics };

/**
 * `consume` runs before CORS, so that every response has the rate limit headers, preflights included; `enforce` runs after
 * it, so that browsers can read the 429. The global limit is counted in memory only: a round trip to Redis for each request
 * would cost more than the rest of the gateway.
 */
export const createRateLimits = ({ scale, redis, metrics }: Options) => {
  const globalLimiter = createLimiter('all', scale, undefined);
  const routeLimiters = new Map(ROUTE_LIMITS.map(([name]) => [name, createLimiter(name, scale, redis)]));

  const consume: RequestHandler = async (req, res, next) => {
    const key = toClientSubnet(getClientAddress(req));
    const routeLimit = findRouteLimit(stripQuery(req.url));
    const limiter = (routeLimit && routeLimiters.get(routeLimit)) ?? globalLimiter;
    const globalResult = await globalLimiter.consume(key);
    const routeResult = limiter === globalLimiter ? undefined : await limiter.consume(key);
    // The HTTP parser may have rejected the rest of the request, and ended its response, during the round trips.
    if (res.headersSent) return;
    const [shown, result] =
      routeResult && !isExceeded(globalLimiter, globalResult)
        ? ([limiter, routeResult] as const)
        : ([globalLimiter, globalResult] as const);
    setRateLimitHeaders(res, shown, result);
    if (isExceeded(shown, result)) {
      res.locals.exceededLimit = shown.name;
      res.locals.retryAfterSeconds = Math.max(1, Math.ceil(result.msBeforeNext / 1_000));
    }
    next();
  };

  const enforce: RequestHandler = (_req, res, next) => {
    const { exceededLimit, retryAfterSeconds } = res.locals;
    if (exceededLimit !== undefined) {
      metrics.countRateLimited({ limit: exceededLimit });
      throw tooManyRequests('RATE_LIMITED', 'Too many requests; retry later.', retryAfterSeconds);
    }
    next();
  };

  return { consume, enforce };
};

export type RateLimits = ReturnType<typeof createRateLimits>;
