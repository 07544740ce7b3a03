import { secondFactorInvalid } from '@platform/shared/errors/app-error';
import { toAccountAudit } from '../accounts/account-audit.ts';
import { requireDomainOfKind, requireEligible } from '../accounts/eligibility.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { Kind } from '../kinds.ts';
import type { SignInDevice } from '../sessions/session.ts';
import type { AssertionService } from '../webauthn/assertions-service.ts';
import type { PasskeyAssertion, VerifiedAssertion } from '../webauthn/passkey.ts';
import type { PasskeyStore } from '../webauthn/passkeys-store.ts';
import type { OpenSession } from './open-session-service.ts';
import type { SignedIn } from './sign-in.ts';
import type { SignInMetrics } from './sign-in-metrics-adapter.ts';
import type { SignInStores } from './sign-in-service.ts';

type Dependencies = {
  config: { adminAllowedDomains: readonly string[] };
  inTransaction: InTransaction<SignInStores & { passkeys: PasskeyStore }>;
  assertions: AssertionService;
  openSession: OpenSession;
  metrics: SignInMetrics;
};

/** The step in the details of audit records. */
const STEP = 'passkey';

/** Signs in without a password. Failures are not throttled, because signatures cannot be guessed. */
export const createPasskeySignInService = (dependencies: Dependencies) => {
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
