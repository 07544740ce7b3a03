import { createCipher } from '@platform/shared/encryption/cipher';
import type { AccountsFeature } from '../accounts/accounts-feature.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { PasskeysFeature } from '../passkeys/passkeys-feature.ts';
import { createConfirmationService } from './confirmation-service.ts';
import { secondFactorRoutes } from './second-factor-routes.ts';
import { createSecondFactorService } from './second-factor-service.ts';
import { createTotpCodes } from './totp-adapter.ts';

type Earlier = { accounts: AccountsFeature; passkeys: PasskeysFeature };

export const createSecondFactorFeature = (
  infrastructure: Infrastructure,
  { accounts, passkeys }: Earlier,
) => {
  const { config, guessLimits } = infrastructure;
  const { passwords, changes } = accounts;
  const totp = createTotpCodes(createCipher(config.secondFactorKey, 'TOTP secret'), config.productName);
  const confirmations = createConfirmationService({
    guessLimits,
    passwords,
    assertions: passkeys.assertions,
    totp,
  });
  const common = { ...infrastructure, changes, confirmations, totp };
  const secondFactor = createSecondFactorService(common);
  return { confirmations, routes: secondFactorRoutes(secondFactor) };
};

export type SecondFactorFeature = ReturnType<typeof createSecondFactorFeature>;
