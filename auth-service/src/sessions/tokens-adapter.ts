import { randomUUID } from 'node:crypto';
import { findPlatformRole } from '@platform/shared/access/platform-role';
import { hashTokenId, signToken } from '@platform/shared/tokens/tokens';
import type { TokenSubject } from '../accounts/account.ts';
import { KIND_CONFIGS, type Kind, type KindKeys } from '../kinds.ts';
import type { NewTokenPair } from './session.ts';

/** Built from the stored account at every issue, so that a revoked role does not survive a refresh. */
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

/** At least 1: a JWT counts whole seconds, and a lifetime of 0 would be expired from the start. */
const getSecondsUntil = (time: Date): number =>
  Math.max(1, Math.round((time.getTime() - Date.now()) / 1_000));

/** The ids are created first, so that they are stored before the tokens exist. */
export const createTokenIssuer = (keys: KindKeys) => ({
  /** No token outlives its session: other services verify tokens without a lookup of the session's end. */
  createTokenPair: (kind: Kind, sessionMaxAgeSeconds = Number.POSITIVE_INFINITY): NewTokenPair => {
    const { accessKeys, accessSeconds, refreshKeys, refreshSeconds } = keys[kind];
    const now = Date.now();
    const [accessJti, refreshJti] = [randomUUID(), randomUUID()];
    return {
      accessJti,
      refreshJti,
      accessTokenId: hashTokenId(accessKeys[0], accessJti),
      accessTokenExpiredAt: new Date(now + Math.min(accessSeconds, sessionMaxAgeSeconds) * 1_000),
      refreshTokenId: hashTokenId(refreshKeys[0], refreshJti),
      refreshTokenExpiredAt: new Date(now + Math.min(refreshSeconds, sessionMaxAgeSeconds) * 1_000),
    };
  },

  signTokens: (kind: Kind, subject: TokenSubject, pair: NewTokenPair) => {
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
        lifetimeSeconds: getSecondsUntil(pair.refreshTokenExpiredAt),
      }),
    };
  },
});

export type TokenIssuer = ReturnType<typeof createTokenIssuer>;
