import { toRedisKey } from '@platform/shared/redis/key-families';
import { withRedisTimeout } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import type { ProviderSession } from '../sessions/session.ts';
import { LOGOUT_TOKEN_SECONDS, type LogoutClaims, toDigest } from './oidc.ts';

/**
 * Longer than a sign-in can wait for its second factor, including the calls to the provider and its clock
 * skew.
 */
const LIFETIME_SECONDS = 600;

const toKey = (issuer: string, type: 'sid' | 'sub', value: string): string =>
  toRedisKey('provider-logout:*', toDigest([issuer, type, value]));

// Providers may repeat logout tokens in any order.
const ADD = `-- add-provider-logout
  local latest = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), tonumber(ARGV[1]))
  return redis.call('SET', KEYS[1], string.format('%.0f', latest), 'EX', ${LIFETIME_SECONDS})`;

type Logout = {
  issuer: string;
  sessionId: string | undefined;
  subject: string | undefined;
  issuedAt: number;
};

/** Stores recent sign-outs at providers in Redis. Every method throws AppError 503 when it is unavailable. */
export const createProviderLogoutStore = (redis: RedisClient) => ({
  /**
   * Stores a sign-out of the session, or without a session of all sessions of the subject (OpenID Connect
   * Back-Channel Logout 1.0, section 2.7).
   */
  add: async ({ issuer, sessionId, subject = '', issuedAt }: Logout): Promise<void> => {
    const key = sessionId === undefined ? toKey(issuer, 'sub', subject) : toKey(issuer, 'sid', sessionId);
    await withRedisTimeout(redis.eval(ADD, { keys: [key], arguments: [String(issuedAt)] }));
  },

  /** Whether the provider has signed the session out since it issued the ID token, or in the same second. */
  hasEnded: async ({ issuer, subject, sessionId, issuedAt }: ProviderSession): Promise<boolean> => {
    const keys = [
      toKey(issuer, 'sub', subject),
      ...(sessionId === undefined ? [] : [toKey(issuer, 'sid', sessionId)]),
    ];
    const times = await Promise.all(keys.map((key) => withRedisTimeout(redis.get(key))));
    return times.some((time) => time !== null && issuedAt <= Number(time));
  },
});

export type ProviderLogoutStore = ReturnType<typeof createProviderLogoutStore>;

const toTokenKey = ({ issuer, tokenId }: LogoutClaims): string =>
  toRedisKey('oidc-logout-token:*', toDigest([issuer, tokenId]));

/**
 * Stores used logout tokens in Redis until they expire. Every method throws AppError 503 if Redis is
 * unavailable.
 */
export const createUsedLogoutTokenStore = (redis: RedisClient) => ({
  has: async (claims: LogoutClaims): Promise<boolean> =>
    (await withRedisTimeout(redis.get(toTokenKey(claims)))) !== null,

  /** Only one of concurrent calls returns true. */
  add: async (claims: LogoutClaims): Promise<boolean> =>
    (await withRedisTimeout(redis.set(toTokenKey(claims), '', { EX: LOGOUT_TOKEN_SECONDS, NX: true }))) !==
    null,
});

export type UsedLogoutTokenStore = ReturnType<typeof createUsedLogoutTokenStore>;
