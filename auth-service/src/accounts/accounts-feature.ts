import { createErrorLog } from '@platform/shared/log/repeated-errors';
import { createSecondFactorRequirement } from '@platform/shared/platform/access/caller';
import { createAccountChanges } from '../endings/endings-service.ts';
import type { Infrastructure } from '../infrastructure.ts';
import { accountRoutes } from './accounts-routes.ts';
import { createAccountService } from './accounts-service.ts';
import { createRegistrationService } from './administrators-service.ts';
import { createBreachedPasswordLookup, readCommonPasswords } from './known-passwords-adapter.ts';
import { createPasswordPolicy } from './password-policy.ts';
import { createPasswordService } from './passwords-service.ts';

export const createAccountsFeature = (infrastructure: Infrastructure) => {
  const { config, log, metrics } = infrastructure;
  const validatePassword = createPasswordPolicy({
    isCommon: config.rejectCommonPasswords ? readCommonPasswords() : () => false,
    isBreached: createBreachedPasswordLookup({
      url: config.breachedPasswordsUrl,
      metrics,
      onError: createErrorLog(log, 'breached passwords not looked up'),
    }),
  });
  const changes = createAccountChanges(createSecondFactorRequirement(config.secondFactorRequiredFor));
  const common = { ...infrastructure, changes, validatePassword };
  const accounts = createAccountService(common);
  const passwords = createPasswordService(common);
  const registration = createRegistrationService(common);
  return {
    accounts,
    changes,
    passwords,
    registration,
    validatePassword,
    routes: accountRoutes(accounts, registration),
  };
};

export type AccountsFeature = ReturnType<typeof createAccountsFeature>;
