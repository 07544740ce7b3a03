import type { Secret } from '@platform/shared/config/secrets';
import { createCipher } from '@platform/shared/encryption/cipher';
import type { EmailCodesFeature } from '../email-codes/email-codes-feature.ts';
import type { EndingService } from '../endings/endings-service.ts';
import type { GuessLimitsFeature } from '../guess-limits/guess-limits-feature.ts';
import type { Base } from '../infrastructure.ts';
import type { LinkingFeature } from '../linking/linking-feature.ts';
import type { OidcFeature } from '../oidc/oidc-feature.ts';
import type { OidcProvider } from '../oidc/oidc-settings.ts';
import type { PasswordsFeature } from '../passwords/passwords-feature.ts';
import type { SecondFactorFeature } from '../second-factor/second-factor-feature.ts';
import type { SessionsFeature } from '../sessions/sessions-feature.ts';
import type { WebauthnFeature } from '../webauthn/webauthn-feature.ts';
import { createChallengeStore } from './challenges-store.ts';
import { createEmailCodeSignInService } from './email-code-sign-in-service.ts';
import { createFailedSignInService } from './failed-sign-ins-service.ts';
import { createSessionOpener } from './open-session-service.ts';
import { createPasskeySignInService } from './passkey-sign-in-service.ts';
import { createProviderSignInService } from './provider-sign-in-service.ts';
import { createSecondStepService, type SecondStepStores } from './second-step-service.ts';
import { createSignInMethods } from './sign-in-methods.ts';
import { createSignInMetrics } from './sign-in-metrics-adapter.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { createSignInService } from './sign-in-service.ts';

type Config = {
  codeSecret: Secret;
  adminAllowedDomains: readonly string[];
  sessionMaxAgeSeconds: number | undefined;
  newDeviceCode: boolean;
  newDeviceNotice: boolean;
  offersEmailCodes: boolean;
  oidc: { providers: readonly OidcProvider[] };
};

type EarlierFeatures = {
  guessLimits: GuessLimitsFeature;
  passwords: PasswordsFeature;
  sessions: SessionsFeature;
  webauthn: WebauthnFeature;
  secondFactor: SecondFactorFeature;
  oidc: OidcFeature;
  linking: LinkingFeature;
  endings: EndingService;
  emailCodes: EmailCodesFeature;
};

export const createSignInFeature = (base: Base<SecondStepStores, Config>, earlier: EarlierFeatures) => {
  const { passwords, guessLimits, sessions, webauthn, secondFactor, oidc, linking } = earlier;
  const { endings, emailCodes } = earlier;
  const { config, redis } = base;
  const { tokens } = sessions;
  const providers = config.oidc.providers.map(({ id }) => id);
  const metrics = createSignInMetrics(base.metrics, providers);
  const features = { ...passwords, ...guessLimits, ...webauthn, ...secondFactor, ...oidc, ...linking };
  const openSession = createSessionOpener({ config, tokens });
  const challenges = createChallengeStore(redis, createCipher(config.codeSecret, 'pending e-mail'));
  const failedSignIns = createFailedSignInService(base);
  const common = { ...base, ...features, metrics, failedSignIns, openSession };
  const secondStep = createSecondStepService({ ...common, ...emailCodes, challenges });
  const listMethods = createSignInMethods({
    offersEmailCodes: config.offersEmailCodes,
    offersPasskeys: webauthn.offersPasskeys,
    offersStay: (kind) => tokens.offersStay(kind, []),
    listProviders: oidc.authorizations.list,
  });
  const providerSignIn = createProviderSignInService({ ...common, secondStep });
  const routes = signInRoutes({
    listMethods,
    passwordSignIn: createSignInService({ ...common, ...emailCodes, secondStep }),
    secondStep,
    passkeySignIn: createPasskeySignInService(common),
    providerSignIn,
    emailCodeSignIn: createEmailCodeSignInService({ ...common, ...emailCodes, endings, secondStep }),
  });
  return { routes, providerSignIn };
};
