import { secondFactorInvalid } from '@platform/shared/errors/app-error';
import type { RequestContext } from '@platform/shared/http/request-context';
import type { SignInMethod } from '@platform/shared/platform/access/caller';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { AccountWithPassword } from '../accounts/account.ts';
import { isStateCurrent } from '../accounts/account-state.ts';
import type { AccountStore } from '../accounts/accounts-store.ts';
import { requireEligible } from '../accounts/eligibility.ts';
import type { EmailCodeService } from '../email-codes/email-codes-service.ts';
import type { EndingStores } from '../endings/endings-service.ts';
import type { AttemptResult } from '../guess-limits/guess-limits.ts';
import type { GuessLimitService } from '../guess-limits/guess-limits-service.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { Kind } from '../kinds.ts';
import type { LinkingService } from '../linking/linking-service.ts';
import type { BackchannelLogoutService } from '../oidc/backchannel-logout-service.ts';
import { type FactorProof, getMethod } from '../second-factor/confirmation.ts';
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

type SecondStep = { challenge: string; proof: FactorProof | { emailCode: string } };

const getStepMethod = (proof: SecondStep['proof']): SignInMethod =>
  'emailCode' in proof ? 'email-code' : getMethod(proof);

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

  /** Within the transaction. A mailed code is used up before, like the challenge. */
  const consumeProof = async (
    stores: SecondStepStores,
    found: SignInChallenge,
    owner: { kind: Kind; account: AccountWithPassword; context: RequestContext },
    proof: SecondStep['proof'],
  ): Promise<boolean> =>
    'emailCode' in proof || (await confirmations.consumeProof(stores, owner, proof, toCeremony(found)));

  /**
   * Returns undefined if the proof is wrong. The challenge is used up only if everything else is valid, and
   * by only one of concurrent calls.
   */
  const openVerified = (
    found: SignInChallenge,
    { proof }: SecondStep,
    useChallenge: () => Promise<boolean>,
    device: SignInDevice,
  ): Promise<SignedIn | undefined> =>
    inTransaction(async (stores) => {
      const { kind } = found;
      const account = await lockAccount(stores, found);
      const owner = { kind, account, context: device.context };
      if (!(await consumeProof(stores, found, owner, proof))) return undefined;
      const { method, provider, staySignedIn } = found.firstStep;
      if (provider && !(await linking.commit(stores, owner, method, provider))) throw challengeInvalid();
      if (!(await useChallenge())) throw challengeInvalid();
      const methods = [method, getStepMethod(proof)];
      // The factor has just proved the user's identity, even if the provider reports an earlier time.
      const opener = provider && { ...provider, authenticatedAt: Date.now() / 1_000 };
      const signedIn = await openSession(
        stores,
        kind,
        account,
        // Absent in a challenge of the previous release.
        { ...device, staySignedIn: staySignedIn === true },
        methods,
        opener,
      );
      if (!signedIn) throw challengeInvalid();
      return signedIn;
    });

  /** When the transaction is retried, this request has already used the challenge up. */
  const createUse = (challenge: string): (() => Promise<boolean>) => {
    let isUsed = false;
    return async () => {
      isUsed ||= await challenges.consume(challenge);
      return isUsed;
    };
  };

  const attempt = async (
    found: SignInChallenge,
    step: SecondStep,
    device: SignInDevice,
  ): Promise<AttemptResult<SignedIn>> => {
    if (!(await challenges.countTry(step.challenge))) throw challengeInvalid();
    const signedIn = await openVerified(found, step, createUse(step.challenge), device);
    if (signedIn) return { kind: 'correct', result: signedIn };
    return { kind: 'wrong', error: secondFactorInvalid() };
  };

  const findCurrent = async (kind: Kind, challenge: string, fingerprint: string) => {
    const found = await challenges.find(kind, challenge, fingerprint);
    const account = await stores.accounts.findById(kind, found.userId);
    if (!account || !isStateCurrent(found, account)) throw challengeInvalid();
    return { found, account };
  };

  /** A wrong code counts with the e-mail codes of the account. */
  const completeWithEmailCode = async (
    found: SignInChallenge,
    account: AccountWithPassword,
    step: { challenge: string; proof: { emailCode: string } },
    device: SignInDevice,
  ): Promise<SignedIn> => {
    if (!(await challenges.countTry(step.challenge))) throw challengeInvalid();
    const { emailCode } = step.proof;
    await emailCodes.consumeNewDeviceCode(found.kind, account, emailCode, device, secondFactorInvalid);
    const useChallenge = createUse(step.challenge);
    const signedIn = await openVerified(found, step, useChallenge, device);
    if (!signedIn) throw challengeInvalid();
    return signedIn;
  };

  const complete = async (kind: Kind, step: SecondStep, device: SignInDevice): Promise<SignedIn> => {
    const { found, account } = await findCurrent(kind, step.challenge, device.fingerprint);
    const { proof } = step;
    if ('emailCode' in proof !== (found.firstStep.asksEmailCode === true)) throw factorNotOffered();
    const guess = { secret: 'second-factor', account, email: account.email, device } as const;
    const signedIn = await failedSignIns.recordFailure(
      found,
      device,
      () =>
        'emailCode' in proof
          ? completeWithEmailCode(found, account, { ...step, proof }, device)
          : guessLimits.limitGuesses(guess, () => attempt(found, step, device)),
      { step: 'second-factor' },
    );
    const { method, provider } = found.firstStep;
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

    /** After the password on a new device. @throws AppError always: 401 SECOND_FACTOR_REQUIRED, or 503 */
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
      metrics.countSignIn(kind, getStepMethod(step.proof), complete(kind, step, device)),
  };
};

export type SecondStepService = ReturnType<typeof createSecondStepService>;
