import { createCipher } from '@platform/shared/encryption/cipher';
import type { AccountsFeature } from '../accounts/accounts-feature.ts';
import type { EmailCodesFeature } from '../email-codes/email-codes-feature.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { SecondFactorFeature } from '../second-factor/second-factor-feature.ts';
import { createEmailChangeService } from './email-change-service.ts';
import { ownAccountRoutes } from './own-account-routes.ts';
import { createOwnAccountService } from './own-account-service.ts';
import { createPendingChangeStore } from './own-account-store.ts';
import { createPasswordChangeService } from './password-change-service.ts';

type Earlier = {
  accounts: AccountsFeature;
  secondFactor: SecondFactorFeature;
  emailCodes: EmailCodesFeature;
};

export const createOwnAccountFeature = (
  infrastructure: Infrastructure,
  { accounts, secondFactor, emailCodes }: Earlier,
) => {
  const { config, redis } = infrastructure;
  const pendingChanges = createPendingChangeStore(redis, createCipher(config.codeSecret, 'pending e-mail'));
  const { confirmations } = secondFactor;
  const common = { ...infrastructure, changes: accounts.changes, confirmations, pendingChanges };
  const ownAccounts = createOwnAccountService(common);
  const emailChanges = createEmailChangeService({ ...common, emailCodes: emailCodes.emailCodes });
  const passwordChanges = createPasswordChangeService({ ...common, ...accounts });
  return { routes: ownAccountRoutes(emailChanges, ownAccounts, passwordChanges) };
};
