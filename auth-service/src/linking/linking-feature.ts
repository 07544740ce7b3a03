import type { AccountsFeature } from '../accounts/accounts-feature.ts';
import type { OfferedMethods } from '../accounts/sign-in-method.ts';
import type { EndingService } from '../endings/endings-service.ts';
import type { GuessLimitsFeature } from '../guess-limits/guess-limits-feature.ts';
import type { Base } from '../infrastructure.ts';
import type { OidcFeature } from '../oidc/oidc-feature.ts';
import type { OidcProvider } from '../oidc/oidc-settings.ts';
import type { SecondFactorFeature } from '../second-factor/second-factor-feature.ts';
import { createIdentityListService, type OwnIdentityStores } from './identities-service.ts';
import { createIdentityChangeService } from './identity-changes-service.ts';
import { linkingRoutes } from './linking-routes.ts';
import { createLinkingService } from './linking-service.ts';

type Config = Pick<OfferedMethods, 'webauthn'> & {
  adminAllowedDomains: readonly string[];
  oidc: { providers: readonly OidcProvider[] };
};

type EarlierFeatures = {
  guessLimits: GuessLimitsFeature;
  accounts: AccountsFeature;
  secondFactor: SecondFactorFeature;
  oidc: OidcFeature;
  endings: EndingService;
};

export const createLinkingFeature = (
  base: Base<OwnIdentityStores, Config>,
  { guessLimits, accounts, secondFactor, oidc, endings }: EarlierFeatures,
) => {
  const identityChanges = createIdentityChangeService(guessLimits.changeLimits);
  const linking = createLinkingService({
    ...base,
    ...accounts,
    ...secondFactor,
    endings,
    identityChanges,
  });
  const identities = createIdentityListService({ ...base, ...secondFactor, ...oidc, identityChanges });
  return { linking, routes: linkingRoutes(identities) };
};

export type LinkingFeature = ReturnType<typeof createLinkingFeature>;
