import type { RequestContext } from '@platform/shared/audit/audit-log';
import { tokenInvalid, userBlocked } from '@platform/shared/errors/app-error';
import type { TokenClaims } from '@platform/shared/tokens/tokens';
import type { Kind } from '../kinds.ts';
import type { InTransaction, Stores } from '../stores.ts';
import {
  type AuthCaller,
  classifyRefreshToken,
  isSessionExpired,
  type RefreshRequest,
  refreshTokenReused,
  refreshTokenSuperseded,
  requireSameSession,
  type Session,
  type SessionIdentifiers,
  sessionIdNotFound,
} from './session.ts';
import type { SessionMetrics } from './session-metrics.ts';
import type { TokenIssuer } from './session-tokens.ts';

type Dependencies = {
  stores: Stores;
  inTransaction: InTransaction;
  tokens: TokenIssuer;
  reuseLeewaySeconds: number;
  /** The end of a session after its sign-in, however often it is refreshed; undefined sets no limit. */
  sessionMaxAgeSeconds: number | undefined;
  metrics: SessionMetrics;
  logWarning: (message: string, details: object) => void;
};

type RefreshedTokens = { accessToken: string; refreshToken: string; userId: string; sessionId: string };

export const createSessionService = (dependencies: Dependencies) => {
  const { stores, inTransaction, tokens, metrics, logWarning } = dependencies;
  const { reuseLeewaySeconds, sessionMaxAgeSeconds } = dependencies;

  const revokeReused = (
    caller: AuthCaller & { supersededSeconds: number },
    context: RequestContext,
  ): Promise<void> =>
    inTransaction(async (stores) => {
      const { kind, session, tokenId, supersededSeconds } = caller;
      await stores.sessions.removeTokens(tokenId);
      await stores.audit.add({
        ...context,
        action: 'REFRESH_TOKEN_REUSED',
        targetType: 'USER',
        targetId: session.userId,
        details: { kind, sessionId: session.id, supersededSeconds },
      });
      logWarning('refresh token reused', {
        sessionId: session.id,
        userId: session.userId,
        supersededSeconds,
      });
    });

  const requireCurrentToken = async (
    kind: Kind,
    { jti, userId }: TokenClaims,
    context: RequestContext,
  ): Promise<AuthCaller> => {
    const found = await stores.tokenRecords.findByRefreshToken(kind, jti, userId);
    if (!found) throw tokenInvalid();
    if (found.account.isBlocked) throw userBlocked();
    if (isSessionExpired(found.signedInAt, sessionMaxAgeSeconds)) {
      await stores.sessions.removeTokens(found.tokenId);
      throw tokenInvalid();
    }
    switch (classifyRefreshToken(found, reuseLeewaySeconds)) {
      case 'current':
        return found;
      case 'superseded':
        throw refreshTokenSuperseded();
      case 'reused':
        await revokeReused(found, context);
        throw refreshTokenReused();
    }
  };

  const rotateTokens = async (
    { kind, claims, getCaller }: RefreshRequest,
    identifiers: SessionIdentifiers,
  ): Promise<RefreshedTokens> => {
    const ids = tokens.createTokenIds(kind);
    const rotated = await stores.tokenRecords.rotate(kind, claims, identifiers, ids, sessionMaxAgeSeconds);
    if (rotated) {
      const { account, sessionId } = rotated;
      return { ...tokens.signTokens(kind, account, rotated.ids), userId: account.userId, sessionId };
    }
    // The lookup throws the reason.
    const { session } = await getCaller();
    requireSameSession(session, identifiers);
    // The token became valid between the two statements, for example because the user was unblocked.
    throw tokenInvalid();
  };

  return {
    /** @throws AppError 401: TOKEN_INVALID, USER_BLOCKED, REFRESH_TOKEN_SUPERSEDED, REFRESH_TOKEN_REUSED */
    findRefreshCaller: async (
      kind: Kind,
      claims: TokenClaims,
      context: RequestContext,
    ): Promise<AuthCaller> => {
      try {
        return await requireCurrentToken(kind, claims, context);
      } catch (error) {
        metrics.countRefreshError(kind, error);
        throw error;
      }
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
    listSessions: ({ account }: AuthCaller): Promise<Session[]> => stores.sessions.listByUser(account.userId),

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
