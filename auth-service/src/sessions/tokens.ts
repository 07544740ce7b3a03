import { randomUUID } from 'node:crypto';
import { findPlatformRole, isPlatformRole } from '@platform/shared/platform/access/platform-role';
import type { Profile } from '@platform/shared/platform/profile';
import { hashTokenId, signToken } from '@platform/shared/tokens/tokens';
import type { Account } from '../authentication/callers.ts';
import { KIND_CONFIGS, type Kind, type KindKeys } from '../kinds.ts';
import { createRefreshJti, hashRefreshJti, type IssuedRefreshToken } from './refresh-token.ts';

/** The data from which the payload of a token is built. */
export type TokenSubject = Pick<Account, 'userId' | 'roles'> & { profile: Pick<Profile, 'id'> | null };

/**
 * The stored ids (hashTokenId, hashRefreshJti) and expiry times of a token pair. The tokens themselves are
 * not stored.
 */
export type TokenPairIds = {
  accessTokenId: string;
  accessTokenExpiredAt: Date;
  refreshTokenId: string;
  refreshTokenExpiredAt: Date;
  /** The expiry of the refresh token in a session that stays signed in. */
  stayingExpiredAt: Date;
};

/** A pair that is not signed yet. The `jti` of each token is not stored. */
type NewTokenPair = TokenPairIds & { accessJti: string; refreshJti: string };

/**
 * The claims are built from the stored account each time, so that a revoked role does not survive a refresh.
 */
const toPayload = (kind: Kind, { userId, roles, profile }: TokenSubject): object => {
  const config = KIND_CONFIGS[kind];
  const platformRole = config.hasPlatformRole ? findPlatformRole(roles) : undefined;
  return {
    userId,
    roles,
    ...(config.profile && { [config.profile.idField]: profile?.id }),
    ...(platformRole && { platformRole }),
  };
};

/** At least 1, because a JWT counts whole seconds, and a lifetime of 0 would be expired from the start. */
const getSecondsUntil = (time: Date): number =>
  Math.max(1, Math.round((time.getTime() - Date.now()) / 1_000));

type PairOptions = {
  sessionMaxAgeSeconds?: number | undefined;
  /** The `jti` of the refresh token; by default, that of a new token record. */
  refreshJti?: string;
};

/** The ids are created first, so that they are stored before the tokens exist. */
export const createTokenIssuer = (keys: KindKeys) => ({
  /**
   * No token outlives its session, because admin-service accepts a token until it expires and does not know
   * the maximum age of a session.
   */
  createTokenPair: (
    kind: Kind,
    { sessionMaxAgeSeconds = Number.POSITIVE_INFINITY, refreshJti = createRefreshJti() }: PairOptions,
  ): NewTokenPair => {
    const { accessKeys, accessSeconds, refreshSeconds, staySeconds } = keys[kind];
    const now = Date.now();
    const toExpiry = (seconds: number) => new Date(now + Math.min(seconds, sessionMaxAgeSeconds) * 1_000);
    const accessJti = randomUUID();
    return {
      accessJti,
      refreshJti,
      accessTokenId: hashTokenId(accessKeys[0], accessJti),
      accessTokenExpiredAt: toExpiry(accessSeconds),
      refreshTokenId: hashRefreshJti(refreshJti),
      refreshTokenExpiredAt: toExpiry(refreshSeconds),
      // If the kind no longer offers to stay signed in, these sessions last as long as all others.
      stayingExpiredAt: toExpiry(staySeconds || refreshSeconds),
    };
  },

  /** Whether the user may stay signed in. Holders of a platform role may not, whatever kind they sign in as. */
  offersStay: (kind: Kind, roles: readonly string[]): boolean =>
    keys[kind].staySeconds > 0 && !roles.some(isPlatformRole),

  signTokens: (
    kind: Kind,
    subject: TokenSubject,
    pair: Omit<NewTokenPair, 'stayingExpiredAt'>,
  ): IssuedRefreshToken & { accessToken: string } => {
    const refreshSeconds = getSecondsUntil(pair.refreshTokenExpiredAt);
    const { accessKeys, refreshKeys } = keys[kind];
    const payload = toPayload(kind, subject);
    return {
      accessToken: signToken(payload, {
        key: accessKeys[0],
        jti: pair.accessJti,
        lifetimeSeconds: getSecondsUntil(pair.accessTokenExpiredAt),
      }),
      refreshToken: signToken(payload, {
        key: refreshKeys[0],
        jti: pair.refreshJti,
        lifetimeSeconds: refreshSeconds,
      }),
      refreshSeconds,
    };
  },
});

export type TokenIssuer = ReturnType<typeof createTokenIssuer>;
