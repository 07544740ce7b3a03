import { tooManyRequests } from '@platform/shared/errors/app-error';
import {
  type ClientNetworks,
  getClientAddress,
  toClientNetworks,
  WIDER_NETWORK_FACTOR,
} from '@platform/shared/http/client-address';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import type { RequestHandler, Response } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import { isHealthRoute, stripQuery } from '../upstreams.ts';

const WINDOW_SECONDS = 60;
/** Requests per minute and client network. `all` is the global limit; the route limits slow down guessing and mail bombing. */
const REQUESTS_PER_MINUTE = { all: 600, 'sign-in': 60, codes: 30, contact: 20 } as const;

export type LimitName = keyof typeof REQUESTS_PER_MINUTE;

const KINDS = '(?:customers/auth|employees/auth|auth/admin)';
/** Routes that hash a password or start a session, and the export, which reads as much. */
const SIGN_IN_ROUTES = [
  'sign-in(?:/(?:second-factor|passkey)(?:/options)?)?',
  'sign-up',
  'register',
  'refresh/token',
  'reset-password/(?:me|email/code)',
  'email/change',
  'second-factor/(?:totp|recovery-codes)',
  'passkeys/[^/]+',
  'oidc/[^/]+/(?:authorize|sign-in)',
  'identities/[^/]+(?:/authorize)?',
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

const ROUTE_LIMITS: readonly [LimitName, RegExp][] = [
  ['sign-in', toPattern(SIGN_IN_ROUTES)],
  ['codes', toPattern(CODE_ROUTES)],
  ['contact', /^\/api\/v1\/contact\//],
];

/** The services route case-sensitively and without a trailing slash, so other spellings of these paths get 404. */
export const findRouteLimits = (path: string): LimitName[] =>
  ROUTE_LIMITS.filter(([, paths]) => paths.test(path)).map(([name]) => name);

/** Counts a request. Returns the requests in the current window, and the time until it ends. */
type Counter = (key: string) => Promise<{ consumed: number; milliseconds: number }>;

/**
 * Sent in one write, but not as a script, which takes more than twice as much processor time of Redis. The counter alone
 * decides, and it is atomic. Only a counter without an expiry gets one, so that the window ends although requests go on.
 */
const createRedisCounter =
  (redis: RedisClient): Counter =>
  async (key) => {
    const [consumed, milliseconds] = await Promise.all([redis.incr(key), redis.pTTL(key)]);
    if (milliseconds >= 0) return { consumed, milliseconds };
    // A new counter, or one whose gateway ended before it set the expiry.
    await redis.expire(key, WINDOW_SECONDS);
    return { consumed, milliseconds: WINDOW_SECONDS * 1_000 };
  };

const createMemoryCounter = () => {
  // It never rejects: the limits compare the count with their points.
  const memory = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS });
  const add =
    (requests: number): Counter =>
    async (key) => {
      const { consumedPoints, msBeforeNext } = await memory.consume(key, requests);
      return { consumed: consumedPoints, milliseconds: msBeforeNext };
    };
  return { count: add(1), read: add(0) };
};

type Count = { name: LimitName; points: number } & Awaited<ReturnType<Counter>>;

const getRemaining = ({ points, consumed }: Count): number => points - consumed;
const isExceeded = (count: Count): boolean => getRemaining(count) < 0;
const findTightest = (counts: readonly Count[]): Count =>
  counts.reduce((one, other) => (getRemaining(other) < getRemaining(one) ? other : one));

/**
 * Counts a request for its client network, then for the wider one: requests that the network's limit rejects would
 * otherwise use up the limit of its neighbours.
 */
const createLimit = (name: LimitName, scale: number, counter: Counter) => {
  const points = Math.max(1, Math.floor(REQUESTS_PER_MINUTE[name] * scale));
  const countFor = async (network: string, limitPoints: number): Promise<Count> => ({
    name,
    points: limitPoints,
    ...(await counter(`limit:${name}:${network}`)),
  });
  return async ([network, wider]: ClientNetworks): Promise<Count> => {
    const count = await countFor(network, points);
    if (wider === undefined || isExceeded(count)) return count;
    return findTightest([count, await countFor(wider, points * WIDER_NETWORK_FACTOR)]);
  };
};

/** draft-ietf-httpapi-ratelimit-headers: quota `q` and window `w`; remaining requests `r` and seconds to the reset `t`. */
const setRateLimitHeaders = (res: Response, count: Count) => {
  const { name, points, milliseconds } = count;
  res.setHeader('RateLimit-Policy', `"${name}";q=${points};w=${WINDOW_SECONDS}`);
  const remaining = Math.max(0, getRemaining(count));
  res.setHeader('RateLimit', `"${name}";r=${remaining};t=${Math.ceil(milliseconds / 1_000)}`);
};

type Options = { scale: number; redis: RedisClient | undefined; metrics: GatewayMetrics };

/**
 * The global limit is counted in memory only: a round trip to Redis for each request would cost more than the rest of the
 * gateway. The others are counted in Redis, and in memory while Redis is unavailable.
 */
const createLimits = ({ scale, redis }: Options) => {
  const { count, read } = createMemoryCounter();
  const countInRedis = redis && createRedisCounter(redis);
  const counter: Counter = (key) =>
    countInRedis && redis.isReady ? countInRedis(key).catch(() => count(key)) : count(key);
  return {
    all: createLimit('all', scale, count),
    'sign-in': createLimit('sign-in', scale, counter),
    codes: createLimit('codes', scale, counter),
    contact: createLimit('contact', scale, counter),
    /** The state of the global limit, without counting the request. */
    unchanged: createLimit('all', scale, read),
  };
};

/**
 * `consume` runs before CORS, so that every response has the rate limit headers, preflights included; `enforce` runs after
 * it, so that browsers can read the 429. Health routes show the global limit, but are neither counted nor limited.
 */
export const createRateLimits = (options: Options) => {
  const limits = createLimits(options);

  const consume: RequestHandler = async (req, res, next) => {
    const networks = toClientNetworks(getClientAddress(req));
    const isLimited = !isHealthRoute(req.url);
    const applied = isLimited
      ? [limits.all, ...findRouteLimits(stripQuery(req.url)).map((name) => limits[name])]
      : [limits.unchanged];
    const counts = await Promise.all(applied.map((count) => count(networks)));
    // The HTTP parser may have rejected the rest of the request, and ended its response, during the round trips.
    if (res.headersSent) return;
    const count = findTightest(counts);
    setRateLimitHeaders(res, count);
    if (isLimited && isExceeded(count)) {
      res.locals.exceededLimit = count.name;
      res.locals.retryAfterSeconds = Math.max(1, Math.ceil(count.milliseconds / 1_000));
    }
    next();
  };

  const enforce: RequestHandler = (_req, res, next) => {
    const { exceededLimit, retryAfterSeconds } = res.locals;
    if (exceededLimit !== undefined) {
      options.metrics.countRateLimited({ limit: exceededLimit });
      throw tooManyRequests('RATE_LIMITED', 'Too many requests; retry later.', retryAfterSeconds);
    }
    next();
  };

  return { consume, enforce };
};

export type RateLimits = ReturnType<typeof createRateLimits>;
