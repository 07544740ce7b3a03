import { AppError, userBlocked } from '@platform/shared/errors/app-error';
import type { SignInMethod } from '@platform/shared/platform/access/caller';
import { platformRoleInvalid } from '@platform/shared/platform/access/platform-role';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import { emailTaken, type MailPreferences } from '../accounts/account.ts';
import type { EndingStores } from '../endings/endings-service.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { Kind } from '../kinds.ts';
import {
  accountExists,
  accountMissing,
  type ConfirmedSignIn,
  emailUnverified,
  type LinkingRejection,
  providerNotAllowed,
} from '../linking/linking.ts';
import type { LinkingService } from '../linking/linking-service.ts';
import type { AuthorizationService, ConfiguredProvider } from '../oidc/authorization-service.ts';
import type { BackchannelLogoutService } from '../oidc/backchannel-logout-service.ts';
import { type ProviderClaims, stateInvalid, toMethod } from '../oidc/oidc.ts';
import type { OidcProvider } from '../oidc/oidc-settings.ts';
import type { SignInDevice } from '../sessions/session.ts';
import type { FailedSignInService } from './failed-sign-ins-service.ts';
import type { OpenSession } from './open-session-service.ts';
import type { SecondStepService } from './second-step-service.ts';
import type { SignedIn } from './sign-in.ts';
import type { SignInMetrics } from './sign-in-metrics-adapter.ts';

type Dependencies = {
  inTransaction: InTransaction<EndingStores & { audit: AuditLog }>;
  authorizations: AuthorizationService;
  linking: LinkingService;
  backchannelLogouts: BackchannelLogoutService;
  failedSignIns: FailedSignInService;
  openSession: OpenSession;
  secondStep: SecondStepService;
  metrics: SignInMetrics;
};

const REJECTIONS: Readonly<Record<LinkingRejection, (claims: ProviderClaims) => AppError>> = {
  USER_BLOCKED: userBlocked,
  PROVIDER_NOT_ALLOWED: providerNotAllowed,
  PLATFORM_ROLE_INVALID: platformRoleInvalid,
  OIDC_EMAIL_UNVERIFIED: emailUnverified,
  OIDC_NO_ACCOUNT: accountMissing,
  EMAIL_TAKEN: emailTaken,
  ACCOUNT_EXISTS: accountExists,
};

/** A concurrent first sign-in, link, removal or sign-up may change what this one has read. */
const RACES = ['EMAIL_TAKEN', 'IDENTITY_TAKEN', 'IDENTITY_NOT_FOUND'];
const MAX_ATTEMPTS = 3;

const repeatAfterRace = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !(error instanceof AppError && RACES.includes(error.code))) throw error;
    }
};

const toMethods = (provider: OidcProvider, { hasSecondFactor }: ProviderClaims): SignInMethod[] => [
  toMethod(provider),
  ...(provider.verifiesSecondFactor && hasSecondFactor ? (['mfa'] as const) : []),
];

type Request = { provider: string; callbackUrl: string; preferences: MailPreferences };

/** Sign-in with a provider instead of a password. The provider is called before the transaction. */
export const createProviderSignInService = (dependencies: Dependencies) => {
  const { inTransaction, authorizations, linking, failedSignIns } = dependencies;
  const { backchannelLogouts, openSession, secondStep, metrics } = dependencies;

  /** Opens the session, unless a second factor is due. */
  const open = (confirmed: ConfirmedSignIn, device: SignInDevice) =>
    inTransaction(async (own) => {
      const { kind, provider, claims } = confirmed;
      const methods = toMethods(provider, claims);
      const result = await linking.resolve(own, confirmed, methods.includes('mfa'));
      if ('rejection' in result || result.isFactorDue) return result;
      const signedIn = await openSession(own, kind, result.account, device, methods, claims);
      // The user is locked and was already checked.
      if (!signedIn) throw stateInvalid();
      return { signedIn: { ...signedIn, removedByProof: result.removedByProof } };
    });

  const reject = async (
    { kind, provider, claims }: ConfirmedSignIn,
    rejection: LinkingRejection,
    userId: string | undefined,
    device: SignInDevice,
  ): Promise<never> => {
    const attempt = () => Promise.reject(REJECTIONS[rejection](claims));
    if (userId === undefined) return await attempt();
    return await failedSignIns.recordFailure({ kind, userId }, device, attempt, { provider: provider.id });
  };

  const authenticate = async (
    kind: Kind,
    configured: ConfiguredProvider,
    { callbackUrl, preferences }: Request,
    device: SignInDevice,
  ) => {
    const { provider } = configured;
    const requester = { purpose: 'sign-in', kind, owner: device.fingerprint } as const;
    const { claims, staySignedIn } = await authorizations.finish(
      configured,
      requester,
      callbackUrl,
      device.context,
    );
    const confirmed = { kind, provider, claims, preferences, context: device.context };
    const result = await repeatAfterRace(() => open(confirmed, { ...device, staySignedIn }));
    if ('rejection' in result) return await reject(confirmed, result.rejection, result.userId, device);
    if ('account' in result) {
      const firstStep = { method: toMethod(provider), provider: claims, staySignedIn };
      return await secondStep.requestSecondFactor(kind, result.account, device, firstStep);
    }
    if (!(await backchannelLogouts.keepIfOpen(claims, result.signedIn.tokenId))) throw stateInvalid();
    return result.signedIn;
  };

  return {
    /** Signs in with what a provider has confirmed. Returns the reason if no session is opened. */
    open,

    /**
     * @throws AppError 401 OIDC_STATE_INVALID, OIDC_DENIED, OIDC_RESPONSE_INVALID, USER_BLOCKED,
     * SECOND_FACTOR_REQUIRED with a challenge; 403 OIDC_EMAIL_UNVERIFIED, OIDC_NO_ACCOUNT,
     * DOMAIN_NOT_ALLOWED, PLATFORM_ROLE_INVALID, PROVIDER_NOT_ALLOWED; 404 PROVIDER_NOT_FOUND; 409
     * ACCOUNT_EXISTS, EMAIL_TAKEN; 429 RATE_LIMITED; 503
     */
    completeSignIn: (kind: Kind, request: Request, device: SignInDevice): Promise<SignedIn> => {
      const configured = authorizations.getProvider(kind, request.provider);
      const method = toMethod(configured.provider);
      return metrics.countSignIn(kind, method, authenticate(kind, configured, request, device));
    },
  };
};

export type ProviderSignInService = ReturnType<typeof createProviderSignInService>;
