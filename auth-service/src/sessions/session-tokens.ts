import { randomUUID } from 'node:crypto';
import { findPlatformRole } from '@platform/shared/access/platform-role';
import type { CookieChange } from '@platform/shared/http/operations';
import { signToken } from '@platform/shared/tokens/tokens';
import type { Account } from '../accounts/account.ts';
import { factsOf, KINDS, type Kind, type KindKeys } from '../kinds.ts';
import type { TokenPairIds } from './session.ts';

// Browsers clear a cookie only when told with the attributes that it was set with, so both come from here.
const ATTRIBUTES = { httpOnly: true, secure: true, sameSite: 'none', path: '/' } as const;

export const clearRefreshCookie = (kind: Kind): CookieChange => ({
  name: KINDS[kind].refreshCookie,
  options: ATTRIBUTES,
});

export const createRefreshCookie =
  (keys: KindKeys) =>
  (kind: Kind, value: string): CookieChange => ({
    name: KINDS[kind].refreshCookie,
    value,
    options: { ...ATTRIBUTES, maxAge: keys[kind].refreshSeconds * 1_000 },
  });

export type RefreshCookie = ReturnType<typeof createRefreshCookie>;

/** The claims are read from what is stored, at every issue: a role that was taken away does not survive a refresh. */
const toPayload = (kind: Kind, { userId, roles, profile }: Account): object => {
  const facts = factsOf(kind);
  const platformRole = facts.hasPlatformRole ? findPlatformRole(roles) : undefined;
  return {
    userId,
    roles,
    ...(facts.profile && { [facts.profile.link]: profile?.id }),
    ...(platformRole && { platformRole }),
  };
};

/** In whole seconds, as a token counts them; one at least, since a token of none would never have been good. */
const secondsUntil = (time: Date): number => Math.max(1, Math.round((time.getTime() - Date.now()) / 1_000));

const earlier = (time: number, limit: Date | undefined): Date =>
  limit !== undefined && limit.getTime() < time ? limit : new Date(time);

/** Makes the pairs of tokens. Ids come first, so that they are stored before a token that bears them exists. */
export const createTokenPairs = (keys: KindKeys) => ({
  /** No token outlives its session: other services know of no session that it could have ended with. */
  newIds: (kind: Kind, endOfSession?: Date): TokenPairIds => {
    const { accessSeconds, refreshSeconds } = keys[kind];
    const now = Date.now();
    return {
      accessTokenId: randomUUID(),
      accessTokenExpiredAt: earlier(now + accessSeconds * 1_000, endOfSession),
      refreshTokenId: randomUUID(),
      refreshTokenExpiredAt: earlier(now + refreshSeconds * 1_000, endOfSession),
    };
  },

  sign: (kind: Kind, account: Account, ids: TokenPairIds) => {
    const { accessKeys, refreshKeys } = keys[kind];
    const payload = toPayload(kind, account);
    return {
      accessToken: signToken(payload, {
        key: accessKeys[0],
        jti: ids.accessTokenId,
        lifetimeSeconds: secondsUntil(ids.accessTokenExpiredAt),
      }),
      refreshToken: signToken(payload, {
        key: refreshKeys[0],
        jti: ids.refreshTokenId,
        lifetimeSeconds: secondsUntil(ids.refreshTokenExpiredAt),
      }),
    };
  },
});

export type TokenPairs = ReturnType<typeof createTokenPairs>;
