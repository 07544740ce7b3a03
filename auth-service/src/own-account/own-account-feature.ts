import type { Secret } from '@platform/shared/config/secrets';
import { createCipher } from '@platform/shared/encryption/cipher';
import type { EmailCodesFeature } from '../email-codes/email-codes-feature.ts';
import type { EndingService, EndingStores } from '../endings/endings-service.ts';
import type { GuessLimitsFeature } from '../guess-limits/guess-limits-feature.ts';
import type { Base } from '../infrastructure.ts';
import type { PasswordsFeature } from '../passwords/passwords-feature.ts';
import type { SecondFactorFeature } from '../second-factor/second-factor-feature.ts';
import { createAdministratorNameService } from './administrator-name-service.ts';
import { createEmailChangeService } from './email-change-service.ts';
import { administratorNameRoutes, ownAccountRoutes } from './own-account-routes.ts';
import { createOwnAccountService, type OwnAccountStores } from './own-account-service.ts';
import { createPendingChangeStore } from './own-account-store.ts';
import { createPasswordChangeService } from './password-change-service.ts';

type Config = { codeSecret: Secret; adminAllowedDomains: readonly string[] };

type EarlierFeatures = {
  guessLimits: GuessLimitsFeature;
  passwords: PasswordsFeature;
  secondFactor: SecondFactorFeature;
  emailCodes: EmailCodesFeature;
  endings: EndingService;
};

export const createOwnAccountFeature = (
  base: Base<EndingStores & OwnAccountStores, Config>,
  { passwords, guessLimits, secondFactor, emailCodes, endings }: EarlierFeatures,
) => {
  const { config, redis } = base;
  const pendingChanges = createPendingChangeStore(redis, createCipher(config.codeSecret, 'pending e-mail'));
  const features = { ...passwords, ...guessLimits, ...secondFactor, ...emailCodes, endings };
  const common = { ...base, ...features, pendingChanges };
  const ownAccounts = createOwnAccountService(common);
  const emailChanges = createEmailChangeService(common);
  const passwordChanges = createPasswordChangeService(common);
  const administratorNames = createAdministratorNameService(base);
  return {
    routes: {
      ...ownAccountRoutes(emailChanges, ownAccounts, passwordChanges),
      ...administratorNameRoutes(administratorNames),
    },
  };
};
