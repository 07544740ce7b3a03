import { secondFactorInvalid } from '@platform/shared/errors/app-error';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { AccountWithPassword } from '../accounts/account.ts';
import { toAccountAudit } from '../accounts/account-audit.ts';
import { isStateCurrent } from '../accounts/account-state.ts';
import type { AccountStore } from '../accounts/accounts-store.ts';
import { requireEligible } from '../accounts/eligibility.ts';
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
import type { OpenSession } from './open-session-service.ts';
import { challengeInvalid, type FirstStep, type SignedIn, secondFactorRequired } from './sign-in.ts';
import type { SignInMetrics } from './sign-in-metrics-adapter.ts';

/** A link to a provider is committed only in the second step, and may end what others have set up. */
export type SecondStepStores = EndingStores & { passkeys: PasskeyStore; audit: AuditLog };

type Dependencies = {
  stores: { accounts: AccountStore; audit: AuditLog };
  inTransaction: InTransaction<SecondStepStores>;
  guessLimits: GuessLimitService;
  assertions: AssertionService;
  offersPasskeys: boolean;
  confirmations: ConfirmationService;
  toSecondStep: ToSecondStep;
  linking: LinkingService;
  challenges: ChallengeStore;
  backchannelLogouts: BackchannelLogoutService;
  openSession: OpenSession;
  metrics: SignInMetrics;
};

const toCeremony = ({ owner }: SignInChallenge): FactorCeremony => ({ purpose: 'second-step', owner });

type SecondStep = { challenge: string; proof: FactorProof };

export const createSecondStepService = (dependencies: Dependencies) => {
  const { stores, inTransaction, guessLimits, assertions, offersPasskeys, confirmations } = dependencies;
  const { toSecondStep, linking, challenges, backchannelLogouts, openSession, metrics } = dependencies;

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
      if (!(await confirmations.consumeProof(stores, owner, proof, toCeremony(found)))) return undefined;
      const { method, provider, staySignedIn } = found.firstStep;
      if (provider && !(await linking.commit(stores, owner, method, provider))) throw challengeInvalid();
      if (!(await useChallenge())) throw challengeInvalid();
      const methods = [method, getMethod(proof)];
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

  const attempt = async (
    found: SignInChallenge,
    step: SecondStep,
    device: SignInDevice,
  ): Promise<AttemptResult<SignedIn>> => {
    if (!(await challenges.countTry(step.challenge))) throw challengeInvalid();
    let isUsed = false;
    const useChallenge = async () => {
      // When the transaction is retried, this request has already used it up.
      isUsed ||= await challenges.consume(step.challenge);
      return isUsed;
    };
    const signedIn = await openVerified(found, step, useChallenge, device);
    if (signedIn) return { kind: 'correct', result: signedIn };
    const details = { step: 'second-factor' };
    await stores.audit.addFailure(toAccountAudit('SIGN_IN_FAILED', found, device.context, details));
    return { kind: 'wrong', error: secondFactorInvalid() };
  };

  const findCurrent = async (kind: Kind, challenge: string, fingerprint: string) => {
    const found = await challenges.find(kind, challenge, fingerprint);
    const account = await stores.accounts.findById(kind, found.userId);
    if (!account || !isStateCurrent(found, account)) throw challengeInvalid();
    return { found, account };
  };

  const complete = async (kind: Kind, step: SecondStep, device: SignInDevice): Promise<SignedIn> => {
    const { found, account } = await findCurrent(kind, step.challenge, device.fingerprint);
    const guess = { secret: 'second-factor', account, email: account.email, device } as const;
    const signedIn = await guessLimits.limitGuesses(guess, () => attempt(found, step, device));
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

    /** @throws AppError 401 CHALLENGE_INVALID, 404 PASSKEY_NOT_FOUND */
    createPasskeyOptions: async (kind: Kind, challenge: string, fingerprint: string) => {
      const { found } = await findCurrent(kind, challenge, fingerprint);
      return await assertions.createFactorOptions(found.userId, toCeremony(found));
    },

    /**
     * @throws AppError 401: CHALLENGE_INVALID, SECOND_FACTOR_INVALID, USER_BLOCKED; 403
     * PLATFORM_ROLE_INVALID; 429; 503
     */
    completeSignIn: (kind: Kind, step: SecondStep, device: SignInDevice): Promise<SignedIn> =>
      metrics.countSignIn(kind, getMethod(step.proof), complete(kind, step, device)),
  };
};

export type SecondStepService = ReturnType<typeof createSecondStepService>;
