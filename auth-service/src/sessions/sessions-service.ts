import { tokenInvalid, userBlocked } from '@platform/shared/errors/app-error';
import type { RequestContext } from '@platform/shared/http/request-context';
import type { TokenClaims } from '@platform/shared/tokens/tokens';
import { toAccountAudit } from '../accounts/account.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Kind } from '../kinds.ts';
import type { SessionMetrics } from './metrics-adapter.ts';
import { hashRefreshJti, toNextGeneration } from './refresh-token.ts';
import {
  type AuthCaller,
  classifyRefreshToken,
  isSessionExpired,
  type ListedSession,
  type RefreshRequest,
  refreshTokenReused,
  refreshTokenSuperseded,
  requireSameSession,
  type SessionIdentifiers,
  sessionIdNotFound,
  type TokenIssuer,
} from './session.ts';

type Dependencies = Pick<Infrastructure, 'config' | 'log' | 'stores' | 'inTransaction'> & {
  tokens: TokenIssuer;
  metrics: SessionMetrics;
};

type RefreshedTokens = { accessToken: string; refreshToken: string; userId: string; sessionId: string };

export const createSessionService = (dependencies: Dependencies) => {
  const { config, log, stores, inTransaction, tokens, metrics } = dependencies;

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
    if (!found) throw tokenInvalid();
    if (found.account.isBlocked) throw userBlocked();
    return { ...found, context, state: classifyRefreshToken(storedId, found, config.reuseLeewaySeconds) };
  };

  const requireCurrentToken = async (kind: Kind, claims: TokenClaims, context: RequestContext) => {
    const found = await findToken(kind, claims, context);
    if (isSessionExpired(found.signedInAt, config.sessionMaxAgeSeconds)) {
      await stores.sessions.removeTokens(found.tokenId);
      throw tokenInvalid();
    }
    if (found.state === 'superseded') throw refreshTokenSuperseded();
    if (found.state !== 'reused') return found;
    await revokeReused(found);
    throw refreshTokenReused();
  };

  const rotateTokens = async (
    { kind, claims: { jti, userId }, getCaller, updateLanguage }: RefreshRequest,
    identifiers: SessionIdentifiers,
  ): Promise<RefreshedTokens> => {
    const pair = tokens.createTokenPair(kind, { refreshJti: toNextGeneration(jti) });
    const rotation = { presentedId: hashRefreshJti(jti), userId, ...identifiers, ...pair };
    const rotated = await stores.tokenRecords.rotate(kind, rotation, config.sessionMaxAgeSeconds);
    if (!rotated) {
      // The lookup throws the reason for the failure.
      const { session } = await getCaller();
      requireSameSession(session, identifiers);
      // The token became valid between the two statements, for example because the user was unblocked.
      throw tokenInvalid();
    }
    const { subject, sessionId, language, ...times } = rotated;
    updateLanguage({ userId, language });
    const signed = tokens.signTokens(kind, subject, { ...pair, ...times });
    return { ...signed, userId, sessionId };
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

    /**
     * For a request that changes nothing, so the token may be superseded. @throws AppError 401:
     * TOKEN_INVALID, USER_BLOCKED
     */
    findReader: async (kind: Kind, claims: TokenClaims, context: RequestContext) => {
      const found = await findToken(kind, claims, context);
      const isExpired = isSessionExpired(found.signedInAt, config.sessionMaxAgeSeconds);
      if (isExpired || found.state === 'reused') throw tokenInvalid();
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

    /** Lists the user's sessions with tokens, the latest sign-in first. */
    listSessions: ({ account }: AuthCaller): Promise<ListedSession[]> =>
      stores.sessions.listByUser(account.userId),

    /** @throws AppError 404 SESSION_NOT_FOUND if the user has no such session, or it has ended */
    endSession: async ({ account }: AuthCaller, sessionId: string): Promise<void> => {
      if (!(await stores.sessions.removeTokensOfSession(account.userId, sessionId)))
        throw sessionIdNotFound();
    },

    endOtherSessions: ({ account, tokenId }: AuthCaller): Promise<void> =>
      stores.sessions.removeTokensOfUser(account.userId, tokenId),
  };
};

export type SessionService = ReturnType<typeof createSessionService>;
