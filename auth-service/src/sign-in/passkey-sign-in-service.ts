import { secondFactorInvalid } from '@platform/shared/errors/app-error';
import { requireDomainOfKind, requireEligible } from '../accounts/eligibility.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { Kind } from '../kinds.ts';
import type { SignInDevice } from '../sessions/session.ts';
import type { AssertionService } from '../webauthn/assertions-service.ts';
import type { PasskeyAssertion, VerifiedAssertion } from '../webauthn/passkey.ts';
import type { PasskeyStore } from '../webauthn/passkeys-store.ts';
import type { FailedSignInService } from './failed-sign-ins-service.ts';
import type { OpenSession } from './open-session-service.ts';
import type { SignedIn } from './sign-in.ts';
import type { SignInMetrics } from './sign-in-metrics-adapter.ts';
import type { SignInStores } from './sign-in-service.ts';

type Dependencies = {
  config: { adminAllowedDomains: readonly string[] };
  inTransaction: InTransaction<SignInStores & { passkeys: PasskeyStore }>;
  assertions: AssertionService;
  failedSignIns: FailedSignInService;
  openSession: OpenSession;
  metrics: SignInMetrics;
};

/** The step in the details of audit records. */
const STEP = 'passkey';

/** Signs in without a password. Failures are not throttled, because signatures cannot be guessed. */
export const createPasskeySignInService = (dependencies: Dependencies) => {
  const { config, inTransaction, assertions } = dependencies;
  const { failedSignIns, openSession, metrics } = dependencies;

  /**
   * Checks in the same order as a sign-in with a password. Returns undefined without an account of the kind,
   * and when the signature counter went back.
   */
  const open = (kind: Kind, verified: VerifiedAssertion, device: SignInDevice) =>
    inTransaction(async (stores) => {
      const { userId } = verified.passkey;
      await stores.accounts.lock(userId);
      const account = await stores.accounts.findById(kind, userId);
      if (!account) return undefined;
      requireDomainOfKind(kind, account.email, config.adminAllowedDomains);
      requireEligible(kind, account);
      const isRecorded = await assertions.recordUse(stores, verified);
      return isRecorded ? await openSession(stores, kind, account, device, ['passkey']) : undefined;
    });

  const authenticate = async (kind: Kind, assertion: PasskeyAssertion, device: SignInDevice) => {
    // An invalid assertion belongs to no account, so only metrics and the access log show it.
    const verified = await assertions.verifySignIn(kind, assertion, device.fingerprint);
    if (!verified) throw secondFactorInvalid();
    const target = { kind, userId: verified.passkey.userId };
    const attempt = async () => {
      const signedIn = await open(kind, verified, device);
      if (!signedIn) throw secondFactorInvalid();
      return signedIn;
    };
    return await failedSignIns.recordFailure(target, device, attempt, { step: STEP });
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
