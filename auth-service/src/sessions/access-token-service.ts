import { tokenInvalid } from '@platform/shared/errors/app-error';
import { createTokenVerifier, type TokenClaims } from '@platform/shared/tokens/tokens';
import type { Kind, KindKeys } from '../kinds.ts';
import type { StoredCaller } from './session.ts';

type Dependencies = {
  keys: KindKeys;
  checkAccess: (kind: Kind, claims: TokenClaims) => Promise<StoredCaller>;
};

/**
 * Returns what finds the caller of an access token of one of the kinds. It throws AppError 401: TOKEN_INVALID, USER_BLOCKED.
 * There is one for the process, so that each token is verified once.
 */
export const createAccessTokenService = ({ keys, checkAccess }: Dependencies) => {
  const verify = createTokenVerifier();
  return async (token: string, kinds: readonly Kind[]): Promise<StoredCaller & { claims: TokenClaims }> => {
    for (const kind of kinds) {
      const claims = verify(token, keys[kind].accessKeys);
      if (claims) return { ...(await checkAccess(kind, claims)), claims };
    }
    throw tokenInvalid();
  };
};

export type FindAccessCaller = ReturnType<typeof createAccessTokenService>;
