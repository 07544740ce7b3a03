import type { RequestContext } from '@platform/shared/audit/audit-log';
import { secondFactorInvalid, userBlocked } from '@platform/shared/errors/app-error';
import type { Eligibility } from '../accounts/account.ts';
import type { OpenSession, SignedIn, SignInDevice } from '../feature-types.ts';
import type { Kind } from '../kinds.ts';
import type { VerifiedAssertion } from '../passkeys/passkeys.ts';
import type { PasskeyAssertion } from '../second-factor/second-factor.ts';
import type { InTransaction, Stores } from '../stores.ts';
import type { SessionMetrics } from './session-metrics.ts';

type Dependencies = {
  inTransaction: InTransaction;
  /** Undefined when the assertion is invalid, or the authenticator has not verified the user. */
  verifyAssertion: (
    kind: Kind,
    assertion: PasskeyAssertion,
    fingerprint: string,
  ) => Promise<VerifiedAssertion | undefined>;
  /** False when the signature counter went back. */
  recordUse: (
    stores: Stores,
    verified: VerifiedAssertion,
    context: RequestContext,
    details: { kind: Kind; step: string },
  ) => Promise<boolean>;
  eligibility: Eligibility;
  openSession: OpenSession;
  metrics: SessionMetrics;
};

/** In the details of audit records. */
const STEP = 'passkey';

/** A sign-in without a password. Its signatures cannot be guessed, so failures are not throttled. */
export const createPasskeySignInService = (dependencies: Dependencies) => {
  const { inTransaction, verifyAssertion, recordUse, eligibility, openSession, metrics } = dependencies;

  /** In the order of a sign-in with a password. Undefined without an account of the kind, and when the counter went back. */
  const open = (
    kind: Kind,
    verified: VerifiedAssertion,
    device: SignInDevice,
    context: RequestContext,
  ): Promise<SignedIn | undefined> =>
    inTransaction(async (stores) => {
      const { userId } = verified.passkey;
      await stores.accounts.lock(userId);
      const account = await stores.accounts.findById(kind, userId);
      if (!account) {
        await stores.audit.addFailure({
          ...context,
          action: 'SIGN_IN_FAILED',
          targetType: 'USER',
          targetId: userId,
          details: { kind, step: STEP },
        });
        return undefined;
      }
      eligibility.requireAllowedDomain(kind, account.email);
      if (account.isBlocked) throw userBlocked();
      eligibility.requirePlatformRole(kind, account);
      if (!(await recordUse(stores, verified, context, { kind, step: STEP }))) return undefined;
      return await openSession(stores, kind, account, device, ['passkey']);
    });

  const authenticate = async (
    kind: Kind,
    assertion: PasskeyAssertion,
    device: SignInDevice,
  ): Promise<SignedIn> => {
    const context = { requestId: device.requestId, address: device.ip };
    // An invalid assertion belongs to no account: only metrics and the access log have it.
    const verified = await verifyAssertion(kind, assertion, device.fingerprint);
    const signedIn = verified && (await open(kind, verified, device, context));
    if (!signedIn) throw secondFactorInvalid();
    return signedIn;
  };

  return {
    /** @throws AppError 401: SECOND_FACTOR_INVALID, USER_BLOCKED; 403: DOMAIN_NOT_ALLOWED, PLATFORM_ROLE_INVALID; 503 */
    signIn: (kind: Kind, assertion: PasskeyAssertion, device: SignInDevice): Promise<SignedIn> =>
      metrics.countSignIn(kind, 'passkey', authenticate(kind, assertion, device)),
  };
};

export type PasskeySignInService = ReturnType<typeof createPasskeySignInService>;
