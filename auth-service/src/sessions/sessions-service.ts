import { tokenInvalid } from '@platform/shared/errors/app-error';
import type { TokenClaims } from '@platform/shared/tokens/tokens';
import type { Account, AccountWithPassword } from '../accounts/account.ts';
import type { Admission } from '../admission.ts';
import type { Kind } from '../kinds.ts';
import type { InTransaction, Stores } from '../stores.ts';
import type { TokenPairs } from '../token-pairs.ts';
import {
  invalidCredentials,
  judgeRefreshToken,
  type PresentedSession,
  type RefreshCaller,
  refreshTokenReused,
  refreshTokenSuperseded,
  requireSameSession,
  type Session,
  type SignedIn,
  type TokenPairIds,
  userBlocked,
} from './session.ts';

type Dependencies = {
  stores: Stores;
  inTransaction: InTransaction;
  tokenPairs: TokenPairs;
  findAccount: (kind: Kind, email: string) => Promise<AccountWithPassword | undefined>;
  comparePassword: (password: string, hash: string | undefined) => Promise<boolean>;
  admission: Admission;
  reuseLeewaySeconds: number;
  /** Leaves a line for those who watch over the platform. */
  note: (event: string, details: object) => void;
};

type Credentials = { email: string; password: string };
type Device = { fingerprint: string; ip: string };
type Pair = { accessToken: string; refreshToken: string };

export const createSessionService = (dependencies: Dependencies) => {
  const { stores, inTransaction, tokenPairs, findAccount, comparePassword, note } = dependencies;
  const { admission, reuseLeewaySeconds } = dependencies;

  const openSession = (
    { userId, passwordHash }: AccountWithPassword,
    { fingerprint, ip }: Device,
    ids: TokenPairIds,
  ): Promise<Session> =>
    inTransaction(async (stores) => {
      const user = await stores.accounts.lock(userId);
      // The password took its time to check: it may have been changed meanwhile, which ended every session.
      if (user?.passwordHash !== passwordHash) throw invalidCredentials();
      if (user.isBlocked) throw userBlocked();
      return await stores.sessions.open(userId, fingerprint, ip, ids);
    });

  /** Ends the session of a token that came back. */
  const revoke = async ({
    session,
    tokenId,
    supersededSeconds,
  }: SignedIn & { supersededSeconds: number }) => {
    await stores.sessions.removeTokens(tokenId);
    note('refresh token reused', { sessionId: session.id, userId: session.userId, supersededSeconds });
  };

  /** @throws AppError 401: TOKEN_INVALID, USER_BLOCKED, REFRESH_TOKEN_SUPERSEDED, REFRESH_TOKEN_REUSED */
  const findRefreshCaller = async (kind: Kind, { jti, userId }: TokenClaims): Promise<RefreshCaller> => {
    const found = await stores.sessions.findByRefreshToken(kind, jti, userId);
    if (!found) throw tokenInvalid();
    if (found.account.isBlocked) throw userBlocked();
    const { account, session, tokenId } = found;
    switch (judgeRefreshToken(found, reuseLeewaySeconds)) {
      case 'current':
        return { kind, account, session, tokenId, refreshTokenId: jti };
      case 'superseded':
        throw refreshTokenSuperseded();
      case 'reused':
        await revoke(found);
        throw refreshTokenReused();
    }
  };

  return {
    findRefreshCaller,

    /** @throws AppError 401: TOKEN_INVALID, USER_BLOCKED */
    findSignedIn: async (kind: Kind, { jti, userId }: TokenClaims): Promise<SignedIn> => {
      const found = await stores.sessions.findByAccessToken(kind, jti, userId);
      if (!found) throw tokenInvalid();
      if (found.account.isBlocked) throw userBlocked();
      return found;
    },

    /** @throws AppError 401: INVALID_CREDENTIALS, USER_BLOCKED; 403: DOMAIN_NOT_ALLOWED, PLATFORM_ROLE_INVALID */
    signIn: async (
      kind: Kind,
      { email, password }: Credentials,
      device: Device,
    ): Promise<Pair & { account: Account; session: Session }> => {
      admission.requireAllowedDomain(kind, email);
      const account = await findAccount(kind, email);
      const matches = await comparePassword(password, account?.passwordHash);
      if (!account || !matches) throw invalidCredentials();
      if (account.isBlocked) throw userBlocked();
      admission.requireRole(kind, account);
      const ids = tokenPairs.newIds(kind);
      const session = await openSession(account, device, ids);
      return { ...tokenPairs.sign(kind, account, ids), account, session };
    },

    /** @throws AppError 401: SESSION_NOT_FOUND, and as findRefreshCaller when another request was faster */
    refresh: async (caller: RefreshCaller, presented: PresentedSession): Promise<Pair> => {
      const { kind, account, session, refreshTokenId } = caller;
      requireSameSession(session, presented);
      const ids = tokenPairs.newIds(kind);
      if (await stores.sessions.rotate(refreshTokenId, ids)) return tokenPairs.sign(kind, account, ids);
      await findRefreshCaller(kind, { ...account, jti: refreshTokenId });
      throw tokenInvalid();
    },

    /** @throws AppError 401 SESSION_NOT_FOUND */
    requireSession: ({ session }: SignedIn, presented: PresentedSession): void =>
      requireSameSession(session, presented),

    /** @throws AppError 401 SESSION_NOT_FOUND */
    signOut: async ({ session, tokenId }: SignedIn, presented: PresentedSession): Promise<void> => {
      requireSameSession(session, presented);
      await stores.sessions.removeTokens(tokenId);
    },
  };
};

export type SessionService = ReturnType<typeof createSessionService>;
