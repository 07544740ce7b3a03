import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { MailOutbox } from '@platform/shared/platform/mail/mail-outbox';
import { type AccountWithPassword, normaliseEmail } from '../accounts/account.ts';
import type { AccountStore } from '../accounts/accounts-store.ts';
import { requireDomainOfKind, requireEligible } from '../accounts/eligibility.ts';
import type { ResetDeviceStore } from '../email-codes/reset-devices-store.ts';
import type { GuessLimitService } from '../guess-limits/guess-limits-service.ts';
import type { InTransaction } from '../infrastructure.ts';
import { KIND_CONFIGS, type Kind } from '../kinds.ts';
import type { SignInRequester } from '../passwords/password.ts';
import type { PasswordHasher } from '../passwords/password-hasher-adapter.ts';
import type { ToSecondStep } from '../second-factor/second-factor.ts';
import type { SignInDevice } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessions-store.ts';
import type { FailedSignInService } from './failed-sign-ins-service.ts';
import type { OpenSession } from './open-session-service.ts';
import type { SecondStepService } from './second-step-service.ts';
import { invalidCredentials, type SignedIn } from './sign-in.ts';
import type { SignInMetrics } from './sign-in-metrics-adapter.ts';

export type SignInStores = {
  accounts: AccountStore;
  sessions: SessionStore;
  outbox: MailOutbox;
  audit: AuditLog;
};

type Dependencies = {
  config: { adminAllowedDomains: readonly string[]; newDeviceCode: boolean };
  stores: Pick<SignInStores, 'accounts' | 'sessions'>;
  inTransaction: InTransaction<SignInStores>;
  hasher: PasswordHasher;
  failedSignIns: FailedSignInService;
  guessLimits: GuessLimitService;
  toSecondStep: ToSecondStep;
  secondStep: SecondStepService;
  resetDevices: ResetDeviceStore;
  openSession: OpenSession;
  metrics: SignInMetrics;
};

type Credentials = { email: string; password: string };
/** The step that is due after the correct password; undefined if the sign-in is complete. */
type DueStep = 'factor' | 'email-code' | undefined;

/** The first step of a sign-in, and the only one while no second step is due. */
export const createSignInService = (dependencies: Dependencies) => {
  const { config, stores, inTransaction, hasher, failedSignIns } = dependencies;
  const { guessLimits, toSecondStep, secondStep, resetDevices, openSession, metrics } = dependencies;

  /**
   * Whether the password needs a mailed code beside it, which stops stolen passwords. An address that is not
   * verified may be another person's.
   */
  const asksEmailCode = async (
    kind: Kind,
    account: AccountWithPassword,
    { fingerprint }: SignInDevice,
  ): Promise<boolean> =>
    config.newDeviceCode &&
    account.isEmailVerified &&
    !KIND_CONFIGS[kind].hasPlatformRole &&
    (await stores.sessions.isNewDevice(account.userId, fingerprint)) &&
    !(await resetDevices.has(account, fingerprint));

  const findDueStep = async (
    kind: Kind,
    account: AccountWithPassword,
    device: SignInDevice,
  ): Promise<DueStep> => {
    if (toSecondStep(account).dueFactors.length > 0) return 'factor';
    return (await asksEmailCode(kind, account, device)) ? 'email-code' : undefined;
  };

  /**
   * A sign-in is the only time when the password is known and can be hashed with the current cost. Returns
   * the account with the hash that is stored afterwards, which is the old one while the queue is overloaded.
   */
  const rehashPassword = async (
    account: AccountWithPassword,
    password: string,
    requester: SignInRequester,
  ): Promise<AccountWithPassword> => {
    const { accounts } = stores;
    const passwordHash = await hasher.renew(password, requester);
    if (passwordHash === undefined) return account;
    if (await accounts.replaceHash(account.userId, account.passwordHash, passwordHash))
      return { ...account, passwordHash };
    // A concurrent sign-in has rehashed the password, or it was changed, so compare with the stored hash.
    const storedHash = await accounts.findPasswordHash(account.userId);
    const matches = await hasher.compare(password, storedHash, requester);
    return matches && storedHash ? { ...account, passwordHash: storedHash } : account;
  };

  /**
   * An unknown e-mail, a wrong password and an account without a password have the same response and response
   * time. The device is looked up once, so `dueStep` says what it has decided.
   */
  const verifyCredentials = async (
    kind: Kind,
    account: AccountWithPassword | undefined,
    { email, password }: Credentials,
    device: SignInDevice,
  ): Promise<{ account: AccountWithPassword; dueStep: DueStep }> => {
    const guessed = await stores.accounts.findGuessed(email);
    const guess = { secret: 'password', account: account ?? guessed, email, device } as const;
    const { verified, requester, dueStep } = await guessLimits.limitGuesses(guess, async (toRequester) => {
      const requester = { ...(await toRequester()), requestedAt: performance.now() };
      const matches = await hasher.compare(password, account?.passwordHash, requester);
      if (!(account && matches)) return { kind: 'wrong', error: invalidCredentials() };
      const dueStep = await findDueStep(kind, account, device);
      return { kind: dueStep ? 'incomplete' : 'correct', result: { verified: account, requester, dueStep } };
    });
    const isOutdated = verified.passwordHash !== null && hasher.isOutdated(verified.passwordHash);
    return { account: isOutdated ? await rehashPassword(verified, password, requester) : verified, dueStep };
  };

  /** @param account the account whose password was verified */
  const completeSignIn = async (
    kind: Kind,
    account: AccountWithPassword,
    dueStep: DueStep,
    device: SignInDevice,
  ): Promise<SignedIn> => {
    requireEligible(kind, account);
    if (dueStep === 'factor')
      return await secondStep.requestSecondFactor(kind, account, device, {
        method: 'password',
        staySignedIn: device.staySignedIn,
      });
    if (dueStep === 'email-code') return await secondStep.requestEmailCode(kind, account, device);
    const signedIn = await inTransaction((stores) =>
      openSession(stores, kind, account, device, ['password']),
    );
    if (signedIn) return signedIn;
    // The password comparison is slow. Meanwhile the user may have been blocked, or password, factors or
    // platform role changed.
    const current = await stores.accounts.findById(kind, account.userId);
    if (current?.passwordHash !== account.passwordHash) throw invalidCredentials();
    return await completeSignIn(kind, current, await findDueStep(kind, current, device), device);
  };

  const authenticate = async (kind: Kind, { email: input, password }: Credentials, device: SignInDevice) => {
    requireDomainOfKind(kind, input, config.adminAllowedDomains);
    const email = normaliseEmail(input);
    const account = await stores.accounts.findByEmail(kind, email);
    const target = account ? { kind, userId: account.userId } : { kind, email };
    return await failedSignIns.recordFailure(target, device, async () => {
      const verified = await verifyCredentials(kind, account, { email, password }, device);
      return await completeSignIn(kind, verified.account, verified.dueStep, device);
    });
  };

  return {
    /**
     * @throws AppError 401: INVALID_CREDENTIALS, USER_BLOCKED, SECOND_FACTOR_REQUIRED with a challenge; 403:
     * DOMAIN_NOT_ALLOWED, PLATFORM_ROLE_INVALID; 429; 503 if a second step is due and Redis is unavailable
     */
    signIn: (kind: Kind, credentials: Credentials, device: SignInDevice): Promise<SignedIn> =>
      metrics.countSignIn(kind, 'password', authenticate(kind, credentials, device)),
  };
};

export type SignInService = ReturnType<typeof createSignInService>;
