import { tokenInvalid } from '@platform/shared/errors/app-error';
import type { AuthCaller, RefreshRequest } from '../authentication/callers.ts';
import type { RefreshMetrics } from './refresh-metrics-adapter.ts';
import { hashRefreshJti, toNextGeneration } from './refresh-token.ts';
import {
  type ListedSession,
  requireSameSession,
  type SessionIdentifiers,
  sessionIdNotFound,
} from './session.ts';
import type { SessionStore } from './sessions-store.ts';
import type { TokenRecordStore } from './token-records-store.ts';
import type { TokenIssuer } from './tokens.ts';

type Dependencies = {
  config: { sessionMaxAgeSeconds: number | undefined };
  stores: { sessions: SessionStore; tokenRecords: TokenRecordStore };
  tokens: TokenIssuer;
  metrics: RefreshMetrics;
};

type RefreshedTokens = { accessToken: string; refreshToken: string; userId: string; sessionId: string };

export const createSessionService = (dependencies: Dependencies) => {
  const { config, stores, tokens, metrics } = dependencies;

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
