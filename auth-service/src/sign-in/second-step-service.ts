import { secondFactorInvalid } from '@platform/shared/errors/app-error';
import type { RequestContext } from '@platform/shared/http/request-context';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { AccountWithPassword } from '../accounts/account.ts';
import { isStateCurrent } from '../accounts/account-state.ts';
import type { AccountStore } from '../accounts/accounts-store.ts';
import { requireEligible } from '../accounts/eligibility.ts';
import type { EmailCodeService } from '../email-codes/email-codes-service.ts';
import type { EndingStores } from '../endings/endings-service.ts';
import { type AttemptResult, type Guess, toAddressGuess } from '../guess-limits/guess-limits.ts';
import type { GuessLimitService } from '../guess-limits/guess-limits-service.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { Kind } from '../kinds.ts';
import type { LinkingService } from '../linking/linking-service.ts';
import type { BackchannelLogoutService } from '../oidc/backchannel-logout-service.ts';
import { getMethod, type StepProof } from '../second-factor/confirmation.ts';
import type { ConfirmationService } from '../second-factor/confirmation-service.ts';
import type { ToSecondStep } from '../second-factor/second-factor.ts';
import type { SignInDevice } from '../sessions/session.ts';
import type { AssertionService } from '../webauthn/assertions-service.ts';
import type { FactorCeremony } from '../webauthn/passkey.ts';
import type { PasskeyStore } from '../webauthn/passkeys-store.ts';
import type { ChallengeStore, SignInChallenge } from './challenges-store.ts';
import type { FailedSignInService } from './failed-sign-ins-service.ts';
import type { OpenSession } from './open-session-service.ts';
import {
  challengeInvalid,
  type FirstStep,
  factorNotOffered,
  type SignedIn,
  secondFactorRequired,
} from './sign-in.ts';
import type { SignInMetrics } from './sign-in-metrics-adapter.ts';

/** A link to a provider is committed only in the second step, and may end what others have set up. */
export type SecondStepStores = EndingStores & { passkeys: PasskeyStore; audit: AuditLog };

type Dependencies = {
  stores: { accounts: AccountStore };
  inTransaction: InTransaction<SecondStepStores>;
  guessLimits: GuessLimitService;
  assertions: AssertionService;
  offersPasskeys: boolean;
  confirmations: ConfirmationService;
  toSecondStep: ToSecondStep;
  linking: LinkingService;
  challenges: ChallengeStore;
  backchannelLogouts: BackchannelLogoutService;
  emailCodes: EmailCodeService;
  failedSignIns: FailedSignInService;
  openSession: OpenSession;
  metrics: SignInMetrics;
};

const toCeremony = ({ owner }: SignInChallenge): FactorCeremony => ({ purpose: 'second-step', owner });

type SecondStep = { challenge: string; proof: StepProof };
type Owner = { kind: Kind; account: AccountWithPassword; context: RequestContext };

/** A wrong code counts with the e-mail codes of the account. */
const toGuess = (proof: StepProof, account: AccountWithPassword, device: SignInDevice): Guess => {
  const { email } = account;
  if (getMethod(proof) === 'email-code') return toAddressGuess(account, email, device);
  return { secret: 'second-factor', account, email, device };
};

/** Redis takes no part in a transaction: when that is retried, this request has already used the secret up. */
const untilTrue = (use: () => Promise<boolean>): (() => Promise<boolean>) => {
  let isUsed = false;
  return async () => {
    isUsed ||= await use();
    return isUsed;
  };
};

export const createSecondStepService = (dependencies: Dependencies) => {
  const { stores, inTransaction, guessLimits, assertions, offersPasskeys, confirmations } = dependencies;
  const { toSecondStep, linking, challenges, backchannelLogouts } = dependencies;
  const { emailCodes, failedSignIns, openSession, metrics } = dependencies;

  /**
   * Locks the user, and returns the account as it is then. @throws AppError unless the first step would still
   * succeed
   */
  const lockAccount = async (
    { accounts }: SecondStepStores,
    found: SignInChallenge,
  ): Promise<AccountWithPassword> => {
    const { kind, userId } = found;
    await accounts.lock(userId);
    const account = await accounts.findById(kind, userId);
    if (!account || !isStateCurrent(found, account)) throw challengeInvalid();
    requireEligible(kind, account);
    return account;
  };

  /** Counts as a try. The challenge is used up only if everything else is valid, and by only one of concurrent calls. */
  const attempt = async (
    found: SignInChallenge,
    account: AccountWithPassword,
    { challenge, proof }: SecondStep,
    device: SignInDevice,
  ): Promise<AttemptResult<SignedIn>> => {
    if (!(await challenges.countTry(challenge))) throw challengeInvalid();
    const { kind } = found;
    const useProof =
      'emailCode' in proof
        ? untilTrue(() => emailCodes.consumeNewDeviceCode(kind, account, proof.emailCode, device.context))
        : (stores: SecondStepStores, owner: Owner): Promise<boolean> =>
            confirmations.consumeProof(stores, owner, proof, toCeremony(found));
    const useChallenge = untilTrue(() => challenges.consume(challenge));
    return await inTransaction(async (stores) => {
      const locked = await lockAccount(stores, found);
      const owner = { kind, account: locked, context: device.context };
      if (!(await useProof(stores, owner))) return { kind: 'wrong', error: secondFactorInvalid() };
      const { method, provider, staySignedIn } = found.firstStep;
      if (provider && !(await linking.commit(stores, owner, method, provider))) throw challengeInvalid();
      if (!(await useChallenge())) throw challengeInvalid();
      const methods = [method, getMethod(proof)];
      // The factor has just proved the user's identity, even if the provider reports an earlier time.
      const opener = provider && { ...provider, authenticatedAt: Date.now() / 1_000 };
      const signedIn = await openSession(
        stores,
        kind,
        locked,
        // Absent in a challenge of the previous release.
        { ...device, staySignedIn: staySignedIn === true },
        methods,
        opener,
      );
      if (!signedIn) throw challengeInvalid();
      return { kind: 'correct', result: signedIn };
    });
  };

  const findCurrent = async (kind: Kind, challenge: string, fingerprint: string) => {
    const found = await challenges.find(kind, challenge, fingerprint);
    const account = await stores.accounts.findById(kind, found.userId);
    if (!account || !isStateCurrent(found, account)) throw challengeInvalid();
    return { found, account };
  };

  const complete = async (kind: Kind, step: SecondStep, device: SignInDevice): Promise<SignedIn> => {
    const { found, account } = await findCurrent(kind, step.challenge, device.fingerprint);
    const { method, provider, asksEmailCode = false } = found.firstStep;
    if ((getMethod(step.proof) === 'email-code') !== asksEmailCode) throw factorNotOffered();
    const guess = toGuess(step.proof, account, device);
    const signedIn = await failedSignIns.recordFailure(
      found,
      device,
      () => guessLimits.limitGuesses(guess, () => attempt(found, account, step, device)),
      { step: 'second-factor' },
    );
    if (provider && !(await backchannelLogouts.keepIfOpen(provider, signedIn.tokenId)))
      throw challengeInvalid();
    // The first step clears no failures while a factor is required.
    if (method === 'password') await guessLimits.clearFailures({ ...guess, secret: 'password' });
    return signedIn;
  };

  return {
    /** @throws AppError always: 401 SECOND_FACTOR_REQUIRED with a challenge, or 503 */
    requestSecondFactor: async (
      kind: Kind,
      account: AccountWithPassword,
      device: SignInDevice,
      firstStep: FirstStep,
    ): Promise<never> => {
      const challenge = await challenges.create(kind, account, device.fingerprint, firstStep);
      const { dueFactors } = toSecondStep(account);
      const factors = dueFactors.filter((factor) => offersPasskeys || factor !== 'passkey');
      throw secondFactorRequired(challenge, factors);
    },

    /** Requires a mailed code after the password on a new device. @throws AppError always: 401 SECOND_FACTOR_REQUIRED, or 503 */
    requestEmailCode: async (
      kind: Kind,
      account: AccountWithPassword,
      device: SignInDevice,
    ): Promise<never> => {
      const { fingerprint, staySignedIn } = device;
      const firstStep = { method: 'password', staySignedIn, asksEmailCode: true } as const;
      const challenge = await challenges.create(kind, account, fingerprint, firstStep);
      throw secondFactorRequired(challenge, ['email-code']);
    },

    /** @throws AppError 401 CHALLENGE_INVALID, 409 FACTOR_NOT_OFFERED, 429 RESEND_LOCKED, 503 */
    sendEmailCode: async (kind: Kind, challenge: string, device: SignInDevice) => {
      const { found, account } = await findCurrent(kind, challenge, device.fingerprint);
      if (!found.firstStep.asksEmailCode) throw factorNotOffered();
      return await emailCodes.sendNewDeviceCode(kind, account, device);
    },

    /** @throws AppError 401 CHALLENGE_INVALID, 404 PASSKEY_NOT_FOUND */
    createPasskeyOptions: async (kind: Kind, challenge: string, fingerprint: string) => {
      const { found } = await findCurrent(kind, challenge, fingerprint);
      return await assertions.createFactorOptions(found.userId, toCeremony(found));
    },

    /**
     * @throws AppError 401: CHALLENGE_INVALID, SECOND_FACTOR_INVALID, USER_BLOCKED; 403
     * PLATFORM_ROLE_INVALID; 409 FACTOR_NOT_OFFERED; 429; 503
     */
    completeSignIn: (kind: Kind, step: SecondStep, device: SignInDevice): Promise<SignedIn> =>
      metrics.countSignIn(kind, getMethod(step.proof), complete(kind, step, device)),
  };
};

export type SecondStepService = ReturnType<typeof createSecondStepService>;
