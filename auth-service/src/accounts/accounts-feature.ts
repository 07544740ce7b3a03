import type { Base } from '../infrastructure.ts';
import type { PasswordsFeature } from '../passwords/passwords-feature.ts';
import { accountRoutes } from './accounts-routes.ts';
import { createAccountService } from './accounts-service.ts';
import { createRegistrationService, type RegistrationStores } from './administrators-service.ts';

type Config = { adminAllowedDomains: readonly string[]; isBootstrapOpen: boolean; isSignUpOpen: boolean };
type EarlierFeatures = { passwords: PasswordsFeature };

export const createAccountsFeature = (
  base: Base<RegistrationStores, Config>,
  { passwords }: EarlierFeatures,
) => {
  const common = { ...base, ...passwords };
  const accounts = createAccountService(common);
  const registration = createRegistrationService(common);
  return { accounts, registration, routes: accountRoutes(accounts, registration) };
};

export type AccountsFeature = ReturnType<typeof createAccountsFeature>;
