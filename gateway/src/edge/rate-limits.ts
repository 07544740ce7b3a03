import { tooManyRequests } from '@platform/shared/errors/app-error';
import { getClientAddress, toClientSubnet } from '@platform/shared/http/client-address';
import type { RedisClient } from '@platform/shared/redis/redis';
import type { RequestHandler, Response } from 'express';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { pathOf } from '../upstreams.ts';

const WINDOW_SECONDS = 60;
/** Requests a minute from one address; what invites guessing or floods a mailbox has tighter ones. */
const PER_MINUTE = { all: 600, 'sign-in': 60, codes: 30, contact: 20 } as const;

type Limit = keyof typeof PER_MINUTE;
export const LIMITS = Object.keys(PER_MINUTE) as Limit[];

const KINDS = '(?:customers/auth|employees/auth|auth/admin)';
const TIGHT: readonly [Limit, RegExp][] = [
  ['sign-in', new RegExp(`^/api/v1/${KINDS}/(?:sign-in|sign-up|register|refresh/token)$`)],
  [
    'codes',
    new RegExp(
      `^/api/v1/${KINDS}/(?:verification/email/code(?:/check)?|reset-password/email/code(?:/send)?)$`,
    ),
  ],
  ['contact', /^\/api\/v1\/contact\//],
];

/** The tighter limit of a path. The services answer each path in this one form only: no other letter case, no trailing slash. */
export const tightLimitOf = (path: string): Limit | undefined =>
  TIGHT.find(([, paths]) => paths.test(path))?.[0];

type Limiter = { name: Limit; points: number; consume: (key: string) => Promise<RateLimiterRes> };

/** The broad limit counts in this process alone; the tight ones in Redis, and here while Redis is away. */
const createLimiter = (name: Limit, scale: number, redis: RedisClient | undefined): Limiter => {
  const points = Math.max(1, Math.floor(PER_MINUTE[name] * scale));
  const options = { keyPrefix: `limit:${name}`, points, duration: WINDOW_SECONDS };
  const memory = new RateLimiterMemory(options);
  const limiter = redis
    ? new RateLimiterRedis({
        ...options,
        storeClient: redis,
        useRedisPackage: true,
        rejectIfRedisNotReady: true,
        insuranceLimiter: memory,
      })
    : memory;
  const consume = (key: string) =>
    limiter.consume(key).catch((refusal: unknown) => {
      if (refusal instanceof RateLimiterRes) return refusal;
      throw refusal;
    });
  return { name, points, consume };
};

/** draft-ietf-httpapi-ratelimit-headers: what is allowed, what is left of it, and for how many seconds. */
const describe = (
  res: Response,
  { name, points }: Limiter,
  { remainingPoints, msBeforeNext }: RateLimiterRes,
) => {
  res.setHeader('RateLimit-Policy', `"${name}";q=${points};w=${WINDOW_SECONDS}`);
  res.setHeader('RateLimit', `"${name}";r=${remainingPoints};t=${Math.ceil(msBeforeNext / 1_000)}`);
};

const isExceeded = ({ points }: Limiter, { consumedPoints }: RateLimiterRes) => consumedPoints > points;

/** Two steps: `count` before CORS, so that every answer has the figures; `refuse` after it, so that browsers can read them. */
export const createLimits = (scale: number, redis: RedisClient | undefined) => {
  const broad = createLimiter('all', scale, undefined);
  const tight = new Map(TIGHT.map(([name]) => [name, createLimiter(name, scale, redis)]));

  const count: RequestHandler = async (req, res, next) => {
    const key = toClientSubnet(getClientAddress(req));
    const limit = tightLimitOf(pathOf(req.url));
    const limiter = (limit && tight.get(limit)) ?? broad;
    const all = await broad.consume(key);
    const own = limiter === broad ? undefined : await limiter.consume(key);
    const isAllExceeded = isExceeded(broad, all);
    const [shown, result] = own && !isAllExceeded ? ([limiter, own] as const) : ([broad, all] as const);
    describe(res, shown, result);
    if (isExceeded(shown, result)) {
      res.locals.exceededLimit = shown.name;
      res.locals.retryAfterSeconds = Math.max(1, Math.ceil(result.msBeforeNext / 1_000));
    }
    next();
  };

  const refuse: RequestHandler = (_req, res, next) => {
    const { retryAfterSeconds } = res.locals;
    if (typeof retryAfterSeconds === 'number')
      throw tooManyRequests('RATE_LIMITED', 'Too many requests from this address', retryAfterSeconds);
    next();
  };

  return { count, refuse };
};

export type Limits = ReturnType<typeof createLimits>;
