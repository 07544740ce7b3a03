import { secondFactorInvalid } from '@platform/shared/errors/app-error';
import { requireDomainOfKind, toAccountAudit } from '../accounts/account.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Kind } from '../kinds.ts';
import type { AssertionService } from '../passkeys/assertions-service.ts';
import type { PasskeyAssertion, VerifiedAssertion } from '../passkeys/passkeys.ts';
import type { SessionMetrics } from './metrics-adapter.ts';
import { requireEligible, type SignedIn, type SignInDevice } from './session.ts';
import type { OpenSession } from './sign-in-service.ts';

type Dependencies = Pick<Infrastructure, 'config' | 'inTransaction'> & {
  assertions: AssertionService;
  openSession: OpenSession;
  metrics: SessionMetrics;
};

/** In the details of audit records. */
const STEP = 'passkey';

/** A sign-in without a password. Its signatures cannot be guessed, so failures are not throttled. */
export const createPasskeySignInService = (dependencies: Dependencies) => {
  const { config, inTransaction, assertions, openSession, metrics } = dependencies;

  /** In the order of a sign-in with a password. Undefined without an account of the kind, and when the counter went back. */
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
    // An invalid assertion belongs to no account: only metrics and the access log have it.
    const verified = await assertions.verifySignIn(kind, assertion, device.fingerprint);
    const signedIn = verified && (await open(kind, verified, device));
    if (!signedIn) throw secondFactorInvalid();
    return signedIn;
  };

  return {
    /** Of the device with this fingerprint. */
    createOptions: assertions.createSignInOptions,

    /** @throws AppError 401: SECOND_FACTOR_INVALID, USER_BLOCKED; 403: DOMAIN_NOT_ALLOWED, PLATFORM_ROLE_INVALID; 503 */
    signIn: (kind: Kind, assertion: PasskeyAssertion, device: SignInDevice): Promise<SignedIn> =>
      metrics.countSignIn(kind, 'passkey', authenticate(kind, assertion, device)),
  };
};

export type PasskeySignInService = ReturnType<typeof createPasskeySignInService>;
