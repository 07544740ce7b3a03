import type { RequestContext } from '@platform/shared/audit/audit-log';
import { tokenInvalid, userBlocked } from '@platform/shared/errors/app-error';
import type { TokenClaims } from '@platform/shared/tokens/tokens';
import { toAccountAudit } from '../accounts/account.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Kind } from '../kinds.ts';
import type { SessionMetrics } from './metrics-adapter.ts';
import {
  type AuthCaller,
  classifyRefreshToken,
  isSessionExpired,
  type ListedSession,
  type RefreshCaller,
  type RefreshRequest,
  type RefreshTokenState,
  refreshTokenReused,
  refreshTokenSuperseded,
  requireSameSession,
  type SessionIdentifiers,
  sessionIdNotFound,
  type TokenIssuer,
} from './session.ts';
import type { RotateTokens } from './token-rotation-store.ts';
import type { UndeliveredTokenStore } from './undelivered-tokens-store.ts';

type Dependencies = Pick<Infrastructure, 'config' | 'log' | 'stores' | 'inTransaction'> & {
  tokens: TokenIssuer;
  rotate: RotateTokens;
  undeliveredTokens: UndeliveredTokenStore;
  metrics: SessionMetrics;
};

type RefreshedTokens = { accessToken: string; refreshToken: string; userId: string; sessionId: string };

export const createSessionService = (dependencies: Dependencies) => {
  const { config, log, stores, inTransaction, tokens, rotate, undeliveredTokens, metrics } = dependencies;

  const revokeReused = (caller: AuthCaller & { supersededSeconds: number }): Promise<void> =>
    inTransaction(async (stores) => {
      const { kind, session, tokenId, context, supersededSeconds } = caller;
      const { id: sessionId, userId } = session;
      await stores.sessions.removeTokens(tokenId);
      const details = { sessionId, supersededSeconds };
      await stores.audit.add(toAccountAudit('REFRESH_TOKEN_REUSED', { kind, userId }, context, details));
      log.warn({ userId, ...details }, 'refresh token reused');
    });

  /**
   * A token whose successor was never delivered is still the newest one of its client, so the successor is classified instead.
   * Each step is one failed attempt of the client.
   */
  const findToken = async (
    kind: Kind,
    { storedId, userId }: RefreshRequest['claims'],
    context: RequestContext,
  ): Promise<(RefreshCaller & RefreshTokenState) | undefined> => {
    const found = await stores.tokenRecords.findByRefreshToken(kind, storedId, userId);
    if (found?.replacedBy && (await undeliveredTokens.has(found.replacedBy)))
      return await findToken(kind, { storedId: found.replacedBy, userId }, context);
    return found && { ...found, context, refreshTokenId: storedId };
  };

  const requireCurrentToken = async (kind: Kind, claims: TokenClaims, context: RequestContext) => {
    const found = await findToken(kind, claims, context);
    if (!found) throw tokenInvalid();
    if (found.account.isBlocked) throw userBlocked();
    if (isSessionExpired(found.signedInAt, config.sessionMaxAgeSeconds)) {
      await stores.sessions.removeTokens(found.tokenId);
      throw tokenInvalid();
    }
    switch (classifyRefreshToken(found, config.reuseLeewaySeconds)) {
      case 'current':
        return found;
      case 'superseded':
        throw refreshTokenSuperseded();
      case 'reused':
        await revokeReused(found);
        throw refreshTokenReused();
    }
  };

  /** Undefined unless the token is current and belongs to the device. */
  const rotateCurrent = async (
    { kind, updateLanguage }: RefreshRequest,
    current: RefreshRequest['claims'],
    identifiers: SessionIdentifiers,
  ): Promise<RefreshedTokens | undefined> => {
    const pair = tokens.createTokenPair(kind);
    try {
      const rotated = await rotate(kind, { ...current, ...identifiers, ...pair });
      if (!rotated) return undefined;
      const { subject, sessionId, language, ...times } = rotated;
      updateLanguage({ userId: subject.userId, language });
      const signed = tokens.signTokens(kind, subject, { ...pair, ...times });
      return { ...signed, userId: subject.userId, sessionId };
    } catch (error) {
      await undeliveredTokens.addIfOutcomeUnknown(pair, error);
      throw error;
    }
  };

  const rotateTokens = async (
    request: RefreshRequest,
    identifiers: SessionIdentifiers,
  ): Promise<RefreshedTokens> => {
    const { claims, getCaller } = request;
    const refreshed = await rotateCurrent(request, claims, identifiers);
    if (refreshed) return refreshed;
    // The lookup throws the reason.
    const { session, refreshTokenId } = await getCaller();
    requireSameSession(session, identifiers);
    // The token became valid between the two statements, for example because the user was unblocked.
    if (refreshTokenId === claims.storedId) throw tokenInvalid();
    const recovered = await rotateCurrent(request, { ...claims, storedId: refreshTokenId }, identifiers);
    // Another request with this token was faster.
    if (!recovered) throw refreshTokenSuperseded();
    return recovered;
  };

  return {
    /** @throws AppError 401: TOKEN_INVALID, USER_BLOCKED, REFRESH_TOKEN_SUPERSEDED, REFRESH_TOKEN_REUSED */
    findRefreshCaller: async (kind: Kind, claims: TokenClaims, context: RequestContext) => {
      try {
        return await requireCurrentToken(kind, claims, context);
      } catch (error) {
        metrics.countRefreshError(kind, error);
        throw error;
      }
    },

    /** For a request that changes nothing: the token may be superseded. @throws AppError 401: TOKEN_INVALID, USER_BLOCKED */
    findReader: async (kind: Kind, claims: TokenClaims, context: RequestContext) => {
      const found = await findToken(kind, claims, context);
      if (!found || isSessionExpired(found.signedInAt, config.sessionMaxAgeSeconds)) throw tokenInvalid();
      if (found.account.isBlocked) throw userBlocked();
      if (classifyRefreshToken(found, config.reuseLeewaySeconds) === 'reused') throw tokenInvalid();
      return found;
    },

    /** @throws AppError 401: SESSION_NOT_FOUND, and the errors of findRefreshCaller */
    refresh: async (request: RefreshRequest, identifiers: SessionIdentifiers): Promise<RefreshedTokens> => {
      try {
        const refreshed = await rotateTokens(request, identifiers);
        metrics.countRefresh(request.kind, 'rotated');
        return refreshed;
      } catch (error) {
        metrics.countRefreshError(request.kind, error);
        throw error;
      }
    },

    /** @throws AppError 401 SESSION_NOT_FOUND */
    signOut: async ({ session, tokenId }: AuthCaller, identifiers: SessionIdentifiers): Promise<void> => {
      requireSameSession(session, identifiers);
      await stores.sessions.removeTokens(tokenId);
    },

    /** The user's sessions with tokens, the latest sign-in first. */
    listSessions: ({ account }: AuthCaller): Promise<ListedSession[]> =>
      stores.sessions.listByUser(account.userId),

    /** @throws AppError 404 SESSION_NOT_FOUND when the user has no such session, or it has ended. */
    endSession: async ({ account }: AuthCaller, sessionId: string): Promise<void> => {
      if (!(await stores.sessions.removeTokensOfSession(account.userId, sessionId)))
        throw sessionIdNotFound();
    },

    endOtherSessions: ({ account, tokenId }: AuthCaller): Promise<void> =>
      stores.sessions.removeTokensOfUser(account.userId, tokenId),
  };
};

export type SessionService = ReturnType<typeof createSessionService>;
