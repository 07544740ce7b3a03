import { tokenInvalid } from '@platform/shared/errors/app-error';
import { createTokenVerifier, type TokenClaims } from '@platform/shared/tokens/tokens';
import type { Kind, KindKeys } from '../kinds.ts';
import type { StoredCaller } from './session.ts';

type CheckAccess = (kind: Kind, claims: TokenClaims) => Promise<StoredCaller>;

/** The process has one of these, so that it verifies each access token once. */
export const createAccessTokenService = (keys: KindKeys, checkAccess: CheckAccess) => {
  const verify = createTokenVerifier();
  /** @throws AppError 401: TOKEN_INVALID, USER_BLOCKED */
  return async (token: string, kinds: readonly Kind[]): Promise<StoredCaller & { claims: TokenClaims }> => {
    for (const kind of kinds) {
      const claims = verify(token, keys[kind].accessKeys);
      if (claims) return { ...(await checkAccess(kind, claims)), claims };
    }
    throw tokenInvalid();
  };
};

export type FindAccessCaller = ReturnType<typeof createAccessTokenService>;
