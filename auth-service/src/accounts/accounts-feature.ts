import { createErrorLog } from '@platform/shared/log/repeated-errors';
import type { Base } from '../infrastructure.ts';
import { accountRoutes } from './accounts-routes.ts';
import { createAccountService } from './accounts-service.ts';
import { createRegistrationService, type RegistrationStores } from './administrators-service.ts';
import { createBreachedPasswordLookup, readCommonPasswords } from './known-passwords-adapter.ts';
import { createPasswordHasher } from './password-hasher-adapter.ts';
import { createPasswordPolicy } from './password-policy.ts';

type Config = {
  adminAllowedDomains: readonly string[];
  isBootstrapOpen: boolean;
  bcryptCost: number;
  passwordQueueLimit: number;
  rejectCommonPasswords: boolean;
  breachedPasswordsUrl: string | undefined;
};

export const createAccountsFeature = (base: Base<RegistrationStores, Config>) => {
  const { config, log, metrics, stores } = base;
  const hasher = createPasswordHasher({
    cost: config.bcryptCost,
    maxQueue: config.passwordQueueLimit,
    readHighestCost: stores.accounts.findHighestPasswordCost,
    metrics,
  });
  const validatePassword = createPasswordPolicy({
    isCommon: config.rejectCommonPasswords ? readCommonPasswords() : () => false,
    isBreached: createBreachedPasswordLookup({
      url: config.breachedPasswordsUrl,
      metrics,
      onError: createErrorLog(log, 'breached passwords not looked up'),
    }),
  });
  const common = { ...base, hasher, validatePassword };
  const accounts = createAccountService(common);
  const registration = createRegistrationService(common);
  return { accounts, registration, hasher, validatePassword, routes: accountRoutes(accounts, registration) };
};

export type AccountsFeature = ReturnType<typeof createAccountsFeature>;
