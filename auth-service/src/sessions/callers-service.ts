import { tokenInvalid, userBlocked } from '@platform/shared/errors/app-error';
import type { RequestContext } from '@platform/shared/http/request-context';
import type { Log } from '@platform/shared/log/log';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { createTokenVerifier, TokenClaims } from '@platform/shared/tokens/tokens';
import { toAccountAudit } from '../accounts/account-audit.ts';
import type { AuthCaller, RefreshRequest, StoredCaller } from '../authentication/callers.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { Kind, KindKeys } from '../kinds.ts';
import {
  classifyRefreshToken,
  hashRefreshJti,
  refreshTokenReused,
  refreshTokenSuperseded,
  takeNewest,
} from './refresh-token.ts';
import { isSessionExpired, sessionNotFound } from './session.ts';
import type { SessionStore } from './sessions-store.ts';
import type { AccessCheckStore, TokenRecordStore } from './token-records-store.ts';

type Dependencies = {
  config: { reuseLeewaySeconds: number; sessionMaxAgeSeconds: number | undefined };
  log: Log;
  keys: KindKeys;
  stores: { sessions: SessionStore; tokenRecords: TokenRecordStore };
  inTransaction: InTransaction<{ sessions: SessionStore; audit: AuditLog }>;
  accessChecks: AccessCheckStore;
  /** The process has one, so that it verifies each access token once. */
  verifyAccessToken: ReturnType<typeof createTokenVerifier>;
};

/** Finds the caller of an access token or a refresh token. */
export const createCallerService = (dependencies: Dependencies) => {
  const { config, log, keys, stores, inTransaction } = dependencies;
  const { accessChecks, verifyAccessToken } = dependencies;

  const revokeReused = (caller: AuthCaller & { refreshedSeconds: number }): Promise<void> =>
    inTransaction(async (stores) => {
      const { kind, session, tokenId, context, refreshedSeconds } = caller;
      const { id: sessionId, userId } = session;
      await stores.sessions.removeTokens(tokenId);
      const details = { sessionId, refreshedSeconds };
      await stores.audit.add(toAccountAudit('REFRESH_TOKEN_REUSED', { kind, userId }, context, details));
      log.warn({ userId, ...details }, 'refresh token reused');
    });

  const findToken = async (
    kind: Kind,
    { jti, userId }: RefreshRequest['claims'],
    context: RequestContext,
  ) => {
    const storedId = hashRefreshJti(jti);
    const found = await stores.tokenRecords.findByRefreshToken(kind, storedId, userId);
    if (!found) throw tokenInvalid('refresh');
    if (found.account.isBlocked) throw userBlocked();
    return { ...found, context, state: classifyRefreshToken(storedId, found, config.reuseLeewaySeconds) };
  };

  /** @throws AppError 401: TOKEN_INVALID, USER_BLOCKED, REFRESH_TOKEN_SUPERSEDED, REFRESH_TOKEN_REUSED */
  const findRefreshCaller = async (kind: Kind, claims: TokenClaims, context: RequestContext) => {
    const found = await findToken(kind, claims, context);
    if (isSessionExpired(found.signedInAt, config.sessionMaxAgeSeconds)) {
      await stores.sessions.removeTokens(found.tokenId);
      throw tokenInvalid('refresh');
    }
    if (found.state === 'superseded') throw refreshTokenSuperseded();
    if (found.state !== 'reused') return found;
    await revokeReused(found);
    throw refreshTokenReused();
  };

  const findSessions = async (kind: Kind, tokens: readonly TokenClaims[]) => {
    const stored = tokens.map(({ jti, userId }) => ({ storedId: hashRefreshJti(jti), userId }));
    const ids = await stores.tokenRecords.findSessionIds(kind, stored);
    return tokens.flatMap((claims, index) => {
      const id = ids[index];
      return id === undefined ? [] : { claims, id };
    });
  };

  return {
    /**
     * Selects one of several tokens that verify: the one of the session that the request names, or the only
     * one. A token that no record knows is from before the last sign-in, unless it is another user's.
     * @throws AppError 401: SESSION_NOT_FOUND, TOKEN_INVALID
     */
    selectToken: async (
      kind: Kind,
      tokens: TokenClaims[],
      sessionId: string | undefined,
    ): Promise<TokenClaims> => {
      const [newest, ...others] = takeNewest(tokens);
      if (newest && (others.length === 0 || sessionId === '')) return newest;
      const sessions = await findSessions(kind, takeNewest(tokens));
      if (sessionId === undefined) {
        const [only, ...further] = sessions;
        const isOfOneUser = tokens.every(({ userId }) => userId === only?.claims.userId);
        if (!only || further.length > 0 || !isOfOneUser) throw tokenInvalid('refresh');
        return only.claims;
      }
      const named = sessions.find(({ id }) => id === sessionId.toLowerCase());
      if (!named) throw sessionNotFound();
      return named.claims;
    },

    /** @throws AppError 401: TOKEN_INVALID, USER_BLOCKED */
    findAccessCaller: async (
      token: string,
      kinds: readonly Kind[],
    ): Promise<StoredCaller & { claims: TokenClaims }> => {
      for (const kind of kinds) {
        const claims = verifyAccessToken(token, keys[kind].accessKeys);
        if (claims) return { ...(await accessChecks.checkAccess(kind, claims)), claims };
      }
      throw tokenInvalid();
    },

    findRefreshCaller,

    /**
     * Finds the caller of a request that changes nothing, so the token may be superseded. @throws AppError 401:
     * TOKEN_INVALID, USER_BLOCKED
     */
    findReader: async (kind: Kind, claims: TokenClaims, context: RequestContext) => {
      const found = await findToken(kind, claims, context);
      const isExpired = isSessionExpired(found.signedInAt, config.sessionMaxAgeSeconds);
      if (isExpired || found.state === 'reused') throw tokenInvalid('refresh');
      return found;
    },
  };
};

export type CallerService = ReturnType<typeof createCallerService>;
