import type { RequestContext } from '@platform/shared/audit/audit-log';
import { tokenInvalid, userBlocked } from '@platform/shared/errors/app-error';
import type { TokenClaims } from '@platform/shared/tokens/tokens';
import type { Account, AccountWithPassword, Admission } from '../accounts/account.ts';
import type { Kind } from '../kinds.ts';
import type { WithPasswordThrottle } from '../password-throttle/password-throttle.ts';
import type { InTransaction, Stores } from '../stores.ts';
import {
  type AuthCaller,
  type Device,
  endOfSession,
  invalidCredentials,
  isOverAge,
  judgeRefreshToken,
  type PresentedSession,
  type PresentedToken,
  refreshTokenReused,
  refreshTokenSuperseded,
  requireSameSession,
  type Session,
  sessionIdNotFound,
  type TokenPairIds,
} from './session.ts';
import type { TokenPairs } from './session-tokens.ts';

type Dependencies = {
  stores: Stores;
  inTransaction: InTransaction;
  tokenPairs: TokenPairs;
  findAccount: (kind: Kind, email: string) => Promise<AccountWithPassword | undefined>;
  comparePassword: (password: string, hash: string | undefined) => Promise<boolean>;
  /** Hashes the password again when the cost was raised since; returns the account with the hash that it has then. */
  renewHash: (account: AccountWithPassword, password: string) => Promise<AccountWithPassword>;
  withThrottle: WithPasswordThrottle;
  admission: Admission;
  reuseLeewaySeconds: number;
  /** How long after the sign-in a session ends whatever happens; undefined sets no limit. */
  sessionMaxAgeSeconds: number | undefined;
  /** Leaves a line for those who watch over the platform. */
  note: (event: string, details: object) => void;
};

type Credentials = { email: string; password: string };
type From = Device & { requestId: string };
type Pair = { accessToken: string; refreshToken: string };

export const createSessionService = (dependencies: Dependencies) => {
  const { stores, inTransaction, tokenPairs, findAccount, comparePassword, note } = dependencies;
  const { admission, withThrottle, renewHash, reuseLeewaySeconds, sessionMaxAgeSeconds } = dependencies;

  /** Throttled; the same for an unknown e-mail and a wrong password, in answer and time. */
  const findByCredentials = async (
    kind: Kind,
    { email, password }: Credentials,
    { requestId, ...device }: From,
  ): Promise<AccountWithPassword> => {
    const subject = email.toLowerCase();
    const isKnownDevice = () => stores.sessions.hasSignedInFrom(subject, device);
    const verify = async () => {
      const found = await findAccount(kind, email);
      const matches = await comparePassword(password, found?.passwordHash);
      if (found && matches) return await renewHash(found, password);
      await recordFailure(kind, found, { address: device.ip, requestId });
      return undefined;
    };
    const account = await withThrottle({ subject, network: device.network }, isKnownDevice, verify);
    if (!account) throw invalidCredentials();
    return account;
  };

  const recordFailure = (kind: Kind, account: Account | undefined, origin: RequestContext): Promise<void> =>
    stores.audit.add({
      ...origin,
      action: 'SIGN_IN_FAILED',
      targetType: 'USER',
      // What was typed as an e-mail may be a password: an unknown one is not written down.
      targetId: account?.userId ?? 'unknown',
      details: { kind },
    });

  const openSession = async (
    account: AccountWithPassword,
    device: Device,
    ids: TokenPairIds,
  ): Promise<Session> => {
    const session = await stores.sessions.open(account, device, ids);
    if (session) return session;
    // The password took its time to check: it may have been changed meanwhile, which ended every session.
    const passwordHash = await stores.accounts.findPasswordHash(account.userId);
    throw passwordHash === account.passwordHash ? userBlocked() : invalidCredentials();
  };

  /** Ends the session of a token that came back. */
  const revoke = (found: AuthCaller & { supersededSeconds: number }, origin: RequestContext): Promise<void> =>
    inTransaction(async (stores) => {
      const { session, tokenId, supersededSeconds } = found;
      await stores.sessions.removeTokens(tokenId);
      await stores.audit.add({
        ...origin,
        action: 'REFRESH_TOKEN_REUSED',
        targetType: 'USER',
        targetId: session.userId,
        details: { kind: found.kind, sessionId: session.id, supersededSeconds },
      });
      note('refresh token reused', { sessionId: session.id, userId: session.userId, supersededSeconds });
    });

  /** @throws AppError 401: TOKEN_INVALID, USER_BLOCKED, REFRESH_TOKEN_SUPERSEDED, REFRESH_TOKEN_REUSED */
  const findRefreshCaller = async (
    kind: Kind,
    { jti, userId }: TokenClaims,
    origin: RequestContext,
  ): Promise<AuthCaller> => {
    const found = await stores.sessions.findByRefreshToken(kind, jti, userId);
    if (!found) throw tokenInvalid();
    if (found.account.isBlocked) throw userBlocked();
    const { tokenId } = found;
    if (isOverAge(found.signedInAt, sessionMaxAgeSeconds)) {
      await stores.sessions.removeTokens(tokenId);
      throw tokenInvalid();
    }
    switch (judgeRefreshToken(found, reuseLeewaySeconds)) {
      case 'current':
        return found;
      case 'superseded':
        throw refreshTokenSuperseded();
      case 'reused':
        await revoke(found, origin);
        throw refreshTokenReused();
    }
  };

  return {
    findRefreshCaller,

    /** @throws AppError 401: INVALID_CREDENTIALS, USER_BLOCKED; 403: DOMAIN_NOT_ALLOWED, PLATFORM_ROLE_INVALID; 429 */
    signIn: async (
      kind: Kind,
      credentials: Credentials,
      device: From,
    ): Promise<Pair & { account: Account; session: Session }> => {
      admission.requireAllowedDomain(kind, credentials.email);
      const account = await findByCredentials(kind, credentials, device);
      if (account.isBlocked) throw userBlocked();
      admission.requireRole(kind, account);
      const ids = tokenPairs.newIds(kind, endOfSession(new Date(), sessionMaxAgeSeconds));
      const session = await openSession(account, device, ids);
      return { ...tokenPairs.sign(kind, account, ids), account, session };
    },

    /** @throws AppError 401: SESSION_NOT_FOUND, and as findRefreshCaller */
    refresh: async (
      { kind, claims, getCaller }: PresentedToken,
      presented: PresentedSession,
    ): Promise<Pair & { userId: string; sessionId: string }> => {
      const ids = tokenPairs.newIds(kind);
      const rotated = await stores.sessions.rotate(kind, claims, presented, ids, sessionMaxAgeSeconds);
      if (rotated) {
        const { account, sessionId } = rotated;
        return { ...tokenPairs.sign(kind, account, rotated.ids), userId: account.userId, sessionId };
      }
      const { session } = await getCaller();
      requireSameSession(session, presented);
      // It has become good between the two looks at it, as by an unblock: the next try will tell.
      throw tokenInvalid();
    },

    /** @throws AppError 401 SESSION_NOT_FOUND */
    requireSession: ({ session }: AuthCaller, presented: PresentedSession): void =>
      requireSameSession(session, presented),

    /** @throws AppError 401 SESSION_NOT_FOUND */
    signOut: async ({ session, tokenId }: AuthCaller, presented: PresentedSession): Promise<void> => {
      requireSameSession(session, presented);
      await stores.sessions.removeTokens(tokenId);
    },

    /** The user's sessions that have tokens, the latest sign-in first. */
    listSessions: ({ account }: AuthCaller): Promise<Session[]> => stores.sessions.listOfUser(account.userId),

    /** @throws AppError 404 SESSION_NOT_FOUND: none of the caller's has this id, or it has ended */
    endSession: async ({ account }: AuthCaller, sessionId: string): Promise<void> => {
      if (!(await stores.sessions.removeTokensOfSession(account.userId, sessionId)))
        throw sessionIdNotFound();
    },

    endOtherSessions: ({ account, tokenId }: AuthCaller): Promise<void> =>
      stores.sessions.removeTokensOfUser(account.userId, tokenId),
  };
};

export type SessionService = ReturnType<typeof createSessionService>;
