import { secondFactorInvalid } from '@platform/shared/errors/app-error';
import type { SignInMethod } from '@platform/shared/platform/access/caller';
import {
  type AccountWithPassword,
  normaliseEmail,
  requireDomainOfKind,
  toAccountAudit,
} from '../accounts/account.ts';
import type { PasswordService } from '../accounts/passwords-service.ts';
import type { AttemptResult } from '../guess-limits/guess-limits.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Kind } from '../kinds.ts';
import type { AssertionService } from '../passkeys/assertions-service.ts';
import type { PasskeyAssertion, VerifiedAssertion } from '../passkeys/passkeys.ts';
import type { Stores } from '../stores.ts';
import type { SessionMetrics } from './metrics-adapter.ts';
import type { SecondFactorRequest } from './second-factor-request-service.ts';
import {
  invalidCredentials,
  type ProviderSession,
  requireEligible,
  type SignedIn,
  type SignInDevice,
  type TokenIssuer,
} from './session.ts';

type OpenerDependencies = Pick<Infrastructure, 'config'> & { tokens: TokenIssuer };

export const createSessionOpener =
  ({ config, tokens }: OpenerDependencies) =>
  /**
   * Opens the session of a sign-in whose proofs are verified, within the transaction of `stores`. Returns
   * undefined if the user is blocked, or password or factors have changed since the account was read.
   */
  async (
    stores: Stores,
    kind: Kind,
    account: AccountWithPassword,
    device: SignInDevice,
    methods: SignInMethod[],
    provider?: ProviderSession,
  ): Promise<SignedIn | undefined> => {
    const pair = tokens.createTokenPair(kind, config);
    const opened = await stores.sessions.open(account, device, pair, methods, provider);
    if (!opened) return undefined;
    const { session, isNewDevice } = opened;
    // An unverified address may belong to another person, so it gets no notice.
    if (config.newDeviceNotice && isNewDevice && account.isEmailVerified) {
      const { userId, email: to, language, isEmailVerified } = account;
      const { address, requestId } = device.context;
      const signedInAt = session.updatedAt.toISOString();
      const mail = { template: 'new-device', to, language, isEmailVerified, signedInAt, address } as const;
      await stores.outbox.add(mail, requestId, userId);
    }
    return { ...tokens.signTokens(kind, account, pair), account, session };
  };

export type OpenSession = ReturnType<typeof createSessionOpener>;

type Dependencies = Pick<
  Infrastructure,
  'config' | 'stores' | 'inTransaction' | 'hasher' | 'background' | 'guessLimits'
> & {
  passwords: PasswordService;
  requestSecondFactor: SecondFactorRequest;
  openSession: OpenSession;
  metrics: SessionMetrics;
};

type Credentials = { email: string; password: string };

/** The first step of a sign-in, and the only one of an account without a second factor. */
export const createSignInService = (dependencies: Dependencies) => {
  const { config, stores, inTransaction, hasher, background } = dependencies;
  const { guessLimits, passwords, requestSecondFactor, openSession, metrics } = dependencies;

  /**
   * Runs in the background. Otherwise the response would take longer than for an unknown e-mail, for which
   * nothing is recorded.
   */
  const recordFailure = (kind: Kind, userId: string, { context }: SignInDevice): void =>
    background.run(() =>
      stores.audit.addFailure(toAccountAudit('SIGN_IN_FAILED', { kind, userId }, context)),
    );

  const toAttemptResult = (account: AccountWithPassword): AttemptResult<AccountWithPassword> => ({
    kind: account.factors.length > 0 ? 'incomplete' : 'correct',
    result: account,
  });

  /**
   * An unknown e-mail, a wrong password and an account without a password have the same response and response
   * time.
   */
  const verifyCredentials = async (
    kind: Kind,
    { email: input, password }: Credentials,
    device: SignInDevice,
  ): Promise<AccountWithPassword> => {
    const email = normaliseEmail(input);
    const account = await stores.accounts.findByEmail(kind, email);
    const guess = { secret: 'password', account, email, device } as const;
    const verified = await guessLimits.limitGuesses(guess, async () => {
      const matches = await hasher.compare(password, account?.passwordHash);
      if (account && matches) return toAttemptResult(account);
      if (account) recordFailure(kind, account.userId, device);
      return { kind: 'wrong', error: invalidCredentials() };
    });
    const isOutdated = verified.passwordHash !== null && hasher.isOutdated(verified.passwordHash);
    return isOutdated ? await passwords.rehashPassword(verified, password) : verified;
  };

  /** @param account the account whose password was verified */
  const completeSignIn = async (
    kind: Kind,
    account: AccountWithPassword,
    device: SignInDevice,
  ): Promise<SignedIn> => {
    requireEligible(kind, account);
    if (account.factors.length > 0)
      return await requestSecondFactor(kind, account, device, { method: 'password' });
    const signedIn = await inTransaction((stores) =>
      openSession(stores, kind, account, device, ['password']),
    );
    if (signedIn) return signedIn;
    // The password comparison is slow. Meanwhile the user may have been blocked, or password or factors
    // changed.
    const current = await stores.accounts.findById(kind, account.userId);
    if (current?.passwordHash !== account.passwordHash) throw invalidCredentials();
    return await completeSignIn(kind, current, device);
  };

  const authenticate = async (kind: Kind, credentials: Credentials, device: SignInDevice) => {
    requireDomainOfKind(kind, credentials.email, config.adminAllowedDomains);
    return await completeSignIn(kind, await verifyCredentials(kind, credentials, device), device);
  };

  return {
    /**
     * @throws AppError 401: INVALID_CREDENTIALS, USER_BLOCKED, SECOND_FACTOR_REQUIRED with a challenge; 403:
     * DOMAIN_NOT_ALLOWED, PLATFORM_ROLE_INVALID; 429; 503 if the account has a second factor and Redis is
     * unavailable
     */
    signIn: (kind: Kind, credentials: Credentials, device: SignInDevice): Promise<SignedIn> =>
      metrics.countSignIn(kind, 'password', authenticate(kind, credentials, device)),
  };
};

export type SignInService = ReturnType<typeof createSignInService>;

type PasskeyDependencies = Pick<Dependencies, 'config' | 'inTransaction' | 'openSession' | 'metrics'> & {
  assertions: AssertionService;
};

/** The step in the details of audit records. */
const STEP = 'passkey';

/** Signs in without a password. Failures are not throttled, because signatures cannot be guessed. */
export const createPasskeySignInService = (dependencies: PasskeyDependencies) => {
  const { config, inTransaction, assertions, openSession, metrics } = dependencies;

  /**
   * Checks in the same order as a sign-in with a password. Returns undefined without an account of the kind,
   * and when the signature counter went back.
   */
  const open = (kind: Kind, verified: VerifiedAssertion, device: SignInDevice) =>
    inTransaction(async (stores) => {
      const { userId } = verified.passkey;
      const { context } = device;
      await stores.accounts.lock(userId);
      const account = await stores.accounts.findById(kind, userId);
      if (!account) {
        const failure = toAccountAudit('SIGN_IN_FAILED', { kind, userId }, context, { step: STEP });
        await stores.audit.addFailure(failure);
        return undefined;
      }
      requireDomainOfKind(kind, account.email, config.adminAllowedDomains);
      requireEligible(kind, account);
      const isRecorded = await assertions.recordUse(stores, verified, context, { kind, step: STEP });
      return isRecorded ? await openSession(stores, kind, account, device, ['passkey']) : undefined;
    });

  const authenticate = async (kind: Kind, assertion: PasskeyAssertion, device: SignInDevice) => {
    // An invalid assertion belongs to no account, so only metrics and the access log show it.
    const verified = await assertions.verifySignIn(kind, assertion, device.fingerprint);
    const signedIn = verified && (await open(kind, verified, device));
    if (!signedIn) throw secondFactorInvalid();
    return signedIn;
  };

  return {
    /** Creates options for the device with this fingerprint. */
    createOptions: assertions.createSignInOptions,

    /**
     * @throws AppError 401: SECOND_FACTOR_INVALID, USER_BLOCKED; 403: DOMAIN_NOT_ALLOWED,
     * PLATFORM_ROLE_INVALID; 404; 503
     */
    signIn: (kind: Kind, assertion: PasskeyAssertion, device: SignInDevice): Promise<SignedIn> =>
      metrics.countSignIn(kind, 'passkey', authenticate(kind, assertion, device)),
  };
};

export type PasskeySignInService = ReturnType<typeof createPasskeySignInService>;
