import { randomUUID } from 'node:crypto';
import { signToken } from '@platform/shared/tokens/tokens';
import { type Account, platformRoleOf } from './accounts/account.ts';
import { factsOf, type Kind, type KindKeys } from './kinds.ts';
import type { TokenPairIds } from './sessions/session.ts';

/** The claims are read from what is stored, at every issue: a role that was taken away does not survive a refresh. */
const toPayload = (kind: Kind, { userId, roles, profile }: Account): object => {
  const facts = factsOf(kind);
  const platformRole = facts.hasPlatformRole ? platformRoleOf(roles) : undefined;
  return {
    userId,
    roles,
    ...(facts.profile && { [facts.profile.link]: profile?.id }),
    ...(platformRole && { platformRole }),
  };
};

/** Makes the pairs of tokens. Ids come first, so that they are stored before a token that bears them exists. */
export const createTokenPairs = (keys: KindKeys) => ({
  newIds: (kind: Kind): TokenPairIds => {
    const { accessSeconds, refreshSeconds } = keys[kind];
    const now = Date.now();
    return {
      accessTokenId: randomUUID(),
      accessTokenExpiredAt: new Date(now + accessSeconds * 1_000),
      refreshTokenId: randomUUID(),
      refreshTokenExpiredAt: new Date(now + refreshSeconds * 1_000),
    };
  },

  sign: (kind: Kind, account: Account, ids: TokenPairIds) => {
    const { accessKeys, accessSeconds, refreshKeys, refreshSeconds } = keys[kind];
    const payload = toPayload(kind, account);
    return {
      accessToken: signToken(payload, {
        key: accessKeys[0],
        jti: ids.accessTokenId,
        lifetimeSeconds: accessSeconds,
      }),
      refreshToken: signToken(payload, {
        key: refreshKeys[0],
        jti: ids.refreshTokenId,
        lifetimeSeconds: refreshSeconds,
      }),
    };
  },
});

export type TokenPairs = ReturnType<typeof createTokenPairs>;
