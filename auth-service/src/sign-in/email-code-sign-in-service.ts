import { userBlocked } from '@platform/shared/errors/app-error';
import type { RequestContext } from '@platform/shared/http/request-context';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import { codeInvalid, toAddressSubject } from '@platform/shared/platform/codes/email-code';
import { type AccountWithPassword, normaliseEmail } from '../accounts/account.ts';
import type { AccountStore } from '../accounts/accounts-store.ts';
import type { EmailCodeService } from '../email-codes/email-codes-service.ts';
import type { RemovedByProof } from '../endings/endings.ts';
import type { EndingService, EndingStores } from '../endings/endings-service.ts';
import { toAddressGuess } from '../guess-limits/guess-limits.ts';
import type { GuessLimitService } from '../guess-limits/guess-limits-service.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { Kind } from '../kinds.ts';
import type { ToSecondStep } from '../second-factor/second-factor.ts';
import type { RequestingDevice, SignInDevice } from '../sessions/session.ts';
import type { FailedSignInService } from './failed-sign-ins-service.ts';
import type { OpenSession } from './open-session-service.ts';
import type { SecondStepService } from './second-step-service.ts';
import type { SignedIn } from './sign-in.ts';
import type { SignInMetrics } from './sign-in-metrics-adapter.ts';

type Stores = EndingStores & { audit: AuditLog };

type Dependencies = {
  stores: { accounts: AccountStore };
  inTransaction: InTransaction<Stores>;
  guessLimits: GuessLimitService;
  emailCodes: EmailCodeService;
  endings: EndingService;
  toSecondStep: ToSecondStep;
  secondStep: SecondStepService;
  failedSignIns: FailedSignInService;
  openSession: OpenSession;
  metrics: SignInMetrics;
};

type MailedCode = { email: string; code: string };

/**
 * Signs in with a code from a mail instead of a password. Whoever reads the mailbox can also reset the
 * password, so this gives nothing new.
 */
export const createEmailCodeSignInService = (dependencies: Dependencies) => {
  const { stores, inTransaction, guessLimits, emailCodes, endings } = dependencies;
  const { toSecondStep, secondStep, failedSignIns, openSession, metrics } = dependencies;

  /** Uses the code up. An address without an account has the same limits and response. */
  const verifyCode = async (
    kind: Kind,
    account: AccountWithPassword | undefined,
    { email, code }: MailedCode,
    device: SignInDevice,
  ) => {
    const subject = toAddressSubject(kind, 'sign-in-code', email);
    const guessed = await stores.accounts.findGuessed(email);
    const guess = toAddressGuess(account ?? guessed, email, device);
    // A blocked user's code is spent, and ends no lock.
    await guessLimits.useCode(guess, subject, code, account?.isBlocked === false);
    if (!account) throw codeInvalid();
    return account;
  };

  /**
   * Locks the user and returns the account, whose address the code has proved. The first proof ends what a
   * stranger may have set up, the password among it, as that by a provider does, and `removed` names it.
   */
  const proveEmail = async (
    own: Stores,
    kind: Kind,
    { userId, email }: AccountWithPassword,
    context: RequestContext,
  ): Promise<{ account: AccountWithPassword; removed?: RemovedByProof[] | undefined }> => {
    await own.accounts.lock(userId);
    const account = await own.accounts.findById(kind, userId);
    // Meanwhile the account was deleted, or has another address, which the code does not prove.
    if (account?.email !== email) throw codeInvalid();
    if (account.isBlocked) throw userBlocked();
    if (account.isEmailVerified) return { account };
    const { removed } = await endings.proveEmail(own, { kind, account, context }, 'take-over');
    const proved = await own.accounts.findById(kind, userId);
    if (!proved) throw codeInvalid();
    return { account: proved, removed };
  };

  const completeSignIn = async (
    kind: Kind,
    found: AccountWithPassword,
    device: SignInDevice,
  ): Promise<SignedIn> => {
    const result = await inTransaction(async (own) => {
      const { account, removed } = await proveEmail(own, kind, found, device.context);
      if (toSecondStep(account).dueFactors.length > 0) return { account };
      const signedIn = await openSession(own, kind, account, device, ['email-code']);
      // The user is locked and was already checked.
      if (!signedIn) throw codeInvalid();
      return { signedIn: { ...signedIn, removedByProof: removed } };
    });
    if ('signedIn' in result) return result.signedIn;
    const firstStep = { method: 'email-code', staySignedIn: device.staySignedIn } as const;
    return await secondStep.requestSecondFactor(kind, result.account, device, firstStep);
  };

  const authenticate = async (kind: Kind, { email: input, code }: MailedCode, device: SignInDevice) => {
    const email = normaliseEmail(input);
    const account = await stores.accounts.findByEmail(kind, email);
    const target = account ? { kind, userId: account.userId } : { kind, email };
    return await failedSignIns.recordFailure(target, device, async () => {
      const found = await verifyCode(kind, account, { email, code }, device);
      return await completeSignIn(kind, found, device);
    });
  };

  return {
    /** The response is the same for an unknown e-mail. @throws AppError 429 RESEND_LOCKED, 503 */
    sendCode: async (kind: Kind, input: string, device: RequestingDevice) => {
      const email = normaliseEmail(input);
      const account = await stores.accounts.findByEmail(kind, email);
      const subject = toAddressSubject(kind, 'sign-in-code', email);
      return await emailCodes.sendToAddress(subject, email, account, device);
    },

    /**
     * @throws AppError 400 CODE_INVALID; 401 USER_BLOCKED, SECOND_FACTOR_REQUIRED with a challenge; 429; 503
     */
    signIn: (kind: Kind, mailed: MailedCode, device: SignInDevice): Promise<SignedIn> =>
      metrics.countSignIn(kind, 'email-code', authenticate(kind, mailed, device)),
  };
};

export type EmailCodeSignInService = ReturnType<typeof createEmailCodeSignInService>;
