import { userBlocked } from '@platform/shared/errors/app-error';
import type { PasswordHasher } from '@platform/shared/passwords/password-hasher';
import type { Account, AccountWithPassword, Eligibility } from '../accounts/account.ts';
import type { OpenSession, SignedIn, SignInDevice } from '../feature-types.ts';
import type { LimitGuesses, Verdict } from '../guess-limits/guess-limits.ts';
import type { Kind } from '../kinds.ts';
import type { InTransaction, Stores } from '../stores.ts';
import type { ChallengeStore } from './challenges-store.ts';
import { invalidCredentials, secondFactorRequired } from './session.ts';
import type { SessionMetrics } from './session-metrics.ts';

type Dependencies = {
  stores: Stores;
  inTransaction: InTransaction;
  hasher: PasswordHasher;
  /** Stores a hash at the current cost; returns the account with its hash as stored afterwards. */
  rehashPassword: (account: AccountWithPassword, password: string) => Promise<AccountWithPassword>;
  limitComparisons: LimitGuesses;
  /** Work that the response does not wait for. */
  runInBackground: (work: () => Promise<unknown>) => void;
  eligibility: Eligibility;
  challenges: ChallengeStore;
  openSession: OpenSession;
  /** Whether WebAuthn is configured. */
  offersPasskeys: boolean;
  metrics: SessionMetrics;
};

type Credentials = { email: string; password: string };

/** The first step of a sign-in, and the only one of an account without a second factor. */
export const createSignInService = (dependencies: Dependencies) => {
  const { stores, inTransaction, hasher, rehashPassword, limitComparisons, runInBackground } = dependencies;
  const { eligibility, challenges, openSession, offersPasskeys, metrics } = dependencies;

  /** In the background, because the response to an unknown e-mail takes the same time and records nothing. */
  const recordFailure = (kind: Kind, { userId }: Account, { ip: address, requestId }: SignInDevice): void =>
    runInBackground(() =>
      stores.audit.addFailure({
        requestId,
        address,
        action: 'SIGN_IN_FAILED',
        targetType: 'USER',
        targetId: userId,
        details: { kind },
      }),
    );

  const toVerdict = (account: AccountWithPassword): Verdict<AccountWithPassword> => ({
    kind: account.factors.length > 0 ? 'incomplete' : 'correct',
    result: account,
  });

  /** An unknown e-mail and a wrong password have the same response and response time. */
  const verifyCredentials = async (
    kind: Kind,
    { email: input, password }: Credentials,
    device: SignInDevice,
  ): Promise<AccountWithPassword> => {
    const email = input.toLowerCase();
    const account = await stores.accounts.findByEmail(kind, email);
    const { fingerprint, ip: address } = device;
    const guess = { secret: 'password', account, email, device: { fingerprint, address } } as const;
    const verified = await limitComparisons(guess, async () => {
      const matches = await hasher.compare(password, account?.passwordHash);
      if (account && matches) return toVerdict(account);
      if (account) recordFailure(kind, account, device);
      return { kind: 'wrong', error: invalidCredentials() };
    });
    return hasher.isOutdated(verified.passwordHash) ? await rehashPassword(verified, password) : verified;
  };

  /** @param account whose password is verified */
  const completeSignIn = async (
    kind: Kind,
    account: AccountWithPassword,
    device: SignInDevice,
  ): Promise<SignedIn> => {
    if (account.isBlocked) throw userBlocked();
    eligibility.requirePlatformRole(kind, account);
    if (account.factors.length > 0) {
      const challenge = await challenges.create(kind, account, device.fingerprint);
      const factors = account.factors.filter((factor) => offersPasskeys || factor !== 'passkey');
      throw secondFactorRequired(challenge, factors);
    }
    const signedIn = await inTransaction((stores) =>
      openSession(stores, kind, account, device, ['password']),
    );
    if (signedIn) return signedIn;
    // The comparison is slow: during it the user may have been blocked, or password or factors changed.
    const current = await stores.accounts.findById(kind, account.userId);
    if (current?.passwordHash !== account.passwordHash) throw invalidCredentials();
    return await completeSignIn(kind, current, device);
  };

  const authenticate = async (
    kind: Kind,
    credentials: Credentials,
    device: SignInDevice,
  ): Promise<SignedIn> => {
    eligibility.requireAllowedDomain(kind, credentials.email);
    return await completeSignIn(kind, await verifyCredentials(kind, credentials, device), device);
  };

  return {
    /**
     * @throws AppError 401: INVALID_CREDENTIALS, USER_BLOCKED, SECOND_FACTOR_REQUIRED with a challenge; 403: DOMAIN_NOT_ALLOWED,
     *   PLATFORM_ROLE_INVALID; 429; 503 when the account has a second factor and Redis is unavailable
     */
    signIn: (kind: Kind, credentials: Credentials, device: SignInDevice): Promise<SignedIn> =>
      metrics.countSignIn(kind, 'password', authenticate(kind, credentials, device)),
  };
};

export type SignInService = ReturnType<typeof createSignInService>;
