import type { Secret } from '@platform/shared/config/secrets';
import { createCipher } from '@platform/shared/encryption/cipher';
import { createSecondFactorRequirement } from '@platform/shared/platform/access/caller';
import type { PlatformRole } from '@platform/shared/platform/access/platform-role';
import type { GuessLimitsFeature } from '../guess-limits/guess-limits-feature.ts';
import type { Base } from '../infrastructure.ts';
import type { PasswordsFeature } from '../passwords/passwords-feature.ts';
import type { WebauthnFeature } from '../webauthn/webauthn-feature.ts';
import { createConfirmationService } from './confirmation-service.ts';
import { createFactorChangeService, type FactorChangeStores } from './factor-changes-service.ts';
import { createRecoveryCodes } from './recovery-codes-adapter.ts';
import { createSecondStepRule } from './second-factor.ts';
import { secondFactorRoutes } from './second-factor-routes.ts';
import { createSecondFactorService } from './second-factor-service.ts';
import { createTotpCodes } from './totp-adapter.ts';

type Config = {
  secondFactorKey: Secret;
  secondFactorRequiredFor: readonly PlatformRole[];
  productName: string;
};

type EarlierFeatures = {
  guessLimits: GuessLimitsFeature;
  passwords: PasswordsFeature;
  webauthn: WebauthnFeature;
};

export const createSecondFactorFeature = (
  base: Base<FactorChangeStores, Config>,
  { passwords, guessLimits, webauthn }: EarlierFeatures,
) => {
  const { secondFactorKey, secondFactorRequiredFor, productName } = base.config;
  const totp = createTotpCodes(createCipher(secondFactorKey, 'TOTP secret'), productName);
  const recoveryCodes = createRecoveryCodes(createCipher(secondFactorKey, 'recovery code'));
  const toSecondStep = createSecondStepRule(secondFactorRequiredFor);
  const requireSecondFactor = createSecondFactorRequirement(secondFactorRequiredFor);
  const common = { ...base, ...passwords, ...guessLimits, ...webauthn, totp, recoveryCodes, toSecondStep };
  const confirmations = createConfirmationService(common);
  const factorChanges = createFactorChangeService(common);
  const secondFactor = createSecondFactorService({ ...common, confirmations, factorChanges });
  return {
    confirmations,
    factorChanges,
    requireSecondFactor,
    toSecondStep,
    routes: secondFactorRoutes(secondFactor),
  };
};

export type SecondFactorFeature = ReturnType<typeof createSecondFactorFeature>;
