import type { RequestContext } from '@platform/shared/audit/audit-log';
import { userBlocked } from '@platform/shared/errors/app-error';
import type { PasswordHasher } from '@platform/shared/passwords/password-hasher';
import type { Account, AccountWithPassword, Eligibility } from '../accounts/account.ts';
import type { Kind } from '../kinds.ts';
import type { WithPasswordThrottle } from '../password-throttle/password-throttle.ts';
import type { Stores } from '../stores.ts';
import { type Device, invalidCredentials, type Session, type TokenPairIds } from './session.ts';
import type { SessionMetrics } from './session-metrics.ts';
import type { TokenIssuer } from './session-tokens.ts';

type Dependencies = {
  stores: Stores;
  tokens: TokenIssuer;
  hasher: PasswordHasher;
  /** Stores a hash at the current cost; returns the account with its hash as stored afterwards. */
  rehashPassword: (account: AccountWithPassword, password: string) => Promise<AccountWithPassword>;
  withThrottle: WithPasswordThrottle;
  eligibility: Eligibility;
  /** The end of a session after its sign-in, however often it is refreshed; undefined sets no limit. */
  sessionMaxAgeSeconds: number | undefined;
  metrics: SessionMetrics;
};

type Credentials = { email: string; password: string };
type SignInDevice = Device & { requestId: string };
type SignedIn = { account: Account; session: Session; accessToken: string; refreshToken: string };

export const createSignInService = (dependencies: Dependencies) => {
  const { stores, tokens, hasher, rehashPassword, withThrottle, eligibility, metrics } = dependencies;
  const { sessionMaxAgeSeconds } = dependencies;

  const recordFailure = (kind: Kind, account: Account | undefined, context: RequestContext): Promise<void> =>
    stores.audit.add({
      ...context,
      action: 'SIGN_IN_FAILED',
      targetType: 'USER',
      // Users sometimes type their password as the e-mail, so an unknown e-mail is not recorded.
      targetId: account?.userId ?? 'unknown',
      details: { kind },
    });

  /** An unknown e-mail and a wrong password have the same response and response time. */
  const verifyCredentials = async (
    kind: Kind,
    credentials: Credentials,
    { requestId, ...device }: SignInDevice,
  ): Promise<AccountWithPassword> => {
    const { password } = credentials;
    const email = credentials.email.toLowerCase();
    const isKnownDevice = () => stores.sessions.hasSignedInFrom(email, device);
    const verify = async () => {
      const found = await stores.accounts.findByEmail(kind, email);
      const matches = await hasher.compare(password, found?.passwordHash);
      if (found && matches)
        return hasher.isOutdated(found.passwordHash) ? await rehashPassword(found, password) : found;
      await recordFailure(kind, found, { address: device.ip, requestId });
      return undefined;
    };
    const account = await withThrottle({ subject: email, network: device.network }, isKnownDevice, verify);
    if (!account) throw invalidCredentials();
    return account;
  };

  const openSession = async (
    account: AccountWithPassword,
    device: Device,
    ids: TokenPairIds,
  ): Promise<Session> => {
    const session = await stores.sessions.open(account, device, ids);
    if (session) return session;
    // The comparison is slow: during it the user may have been blocked, or the password changed, which ends all sessions.
    const passwordHash = await stores.accounts.findPasswordHash(account.userId);
    throw passwordHash === account.passwordHash ? userBlocked() : invalidCredentials();
  };

  const authenticate = async (
    kind: Kind,
    credentials: Credentials,
    device: SignInDevice,
  ): Promise<SignedIn> => {
    eligibility.requireAllowedDomain(kind, credentials.email);
    const account = await verifyCredentials(kind, credentials, device);
    if (account.isBlocked) throw userBlocked();
    eligibility.requirePlatformRole(kind, account);
    const ids = tokens.createTokenIds(kind, sessionMaxAgeSeconds);
    const session = await openSession(account, device, ids);
    return { ...tokens.signTokens(kind, account, ids), account, session };
  };

  return {
    /** @throws AppError 401: INVALID_CREDENTIALS, USER_BLOCKED; 403: DOMAIN_NOT_ALLOWED, PLATFORM_ROLE_INVALID; 429 */
    signIn: async (kind: Kind, credentials: Credentials, device: SignInDevice): Promise<SignedIn> => {
      try {
        const signedIn = await authenticate(kind, credentials, device);
        metrics.countSignIn(kind, 'success');
        return signedIn;
      } catch (error) {
        metrics.countSignInError(kind, error);
        throw error;
      }
    },
  };
};

export type SignInService = ReturnType<typeof createSignInService>;
