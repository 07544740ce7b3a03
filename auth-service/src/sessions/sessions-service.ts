import { tokenInvalid } from '@platform/shared/errors/app-error';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import { toOwnAudit } from '../accounts/account-audit.ts';
import type { AccountStore } from '../accounts/accounts-store.ts';
import type { AuthCaller, RefreshRequest } from '../authentication/callers.ts';
import type { InTransaction } from '../infrastructure.ts';
import { hashRefreshJti, type IssuedRefreshToken, toNextGeneration } from './refresh-token.ts';
import {
  type ListedSession,
  requireSameSession,
  type SessionIdentifiers,
  sessionIdNotFound,
} from './session.ts';
import type { SessionStore } from './sessions-store.ts';
import type { TokenRecordStore } from './token-records-store.ts';
import type { TokenIssuer } from './tokens.ts';

export type SessionStores = {
  accounts: AccountStore;
  sessions: SessionStore;
  tokenRecords: TokenRecordStore;
  audit: AuditLog;
};

type Dependencies = {
  config: { sessionMaxAgeSeconds: number | undefined };
  stores: Pick<SessionStores, 'sessions' | 'tokenRecords'>;
  inTransaction: InTransaction<SessionStores>;
  tokens: TokenIssuer;
};

type RefreshedTokens = IssuedRefreshToken & { accessToken: string; userId: string; sessionId: string };

export const createSessionService = (dependencies: Dependencies) => {
  const { config, stores, inTransaction, tokens } = dependencies;

  /** @throws AppError 401: SESSION_NOT_FOUND, and the errors of findRefreshCaller */
  const refresh = async (
    { kind, claims: { jti, userId }, getCaller, updatePreferences }: RefreshRequest,
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
      throw tokenInvalid('refresh');
    }
    const { subject, sessionId, language, timeZone, ...times } = rotated;
    updatePreferences({ userId, language, timeZone });
    const signed = tokens.signTokens(kind, subject, { ...pair, ...times });
    return { ...signed, userId, sessionId };
  };

  /** A session that has just been ended cannot end others any more. */
  const endSessions = (
    { account, tokenId }: AuthCaller,
    end: (stores: SessionStores) => Promise<void>,
  ): Promise<void> =>
    inTransaction(async (stores) => {
      const user = await stores.accounts.lock(account.userId);
      if (!user || !(await stores.tokenRecords.exists(tokenId))) throw tokenInvalid();
      await end(stores);
    });

  return {
    refresh,

    /** @throws AppError 401 SESSION_NOT_FOUND */
    signOut: async ({ session, tokenId }: AuthCaller, identifiers: SessionIdentifiers): Promise<void> => {
      requireSameSession(session, identifiers);
      await stores.sessions.removeTokens(tokenId);
    },

    /** Lists the user's sessions with tokens, the latest sign-in first. */
    listSessions: ({ account }: AuthCaller): Promise<ListedSession[]> =>
      stores.sessions.listByUser(account.userId),

    /**
     * The end of the current session is a sign-out, which is not recorded.
     * @throws AppError 404 SESSION_NOT_FOUND if the user has no such session, or it has ended
     */
    endSession: (caller: AuthCaller, sessionId: string): Promise<void> =>
      endSessions(caller, async ({ sessions, audit }) => {
        if (!(await sessions.removeTokensOfSession(caller.account.userId, sessionId)))
          throw sessionIdNotFound();
        if (sessionId !== caller.session.id)
          await audit.add(toOwnAudit('SESSION_ENDED', caller, { sessionId, count: 1 }));
      }),

    endOtherSessions: (caller: AuthCaller): Promise<void> =>
      endSessions(caller, async ({ sessions, audit }) => {
        const count = await sessions.removeTokensOfUser(caller.account.userId, caller.tokenId);
        if (count > 0) await audit.add(toOwnAudit('SESSIONS_ENDED', caller, { count }));
      }),
  };
};

export type SessionService = ReturnType<typeof createSessionService>;
