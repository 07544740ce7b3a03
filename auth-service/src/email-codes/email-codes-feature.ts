import type { Secret } from '@platform/shared/config/secrets';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import { createEmailCodeStore } from '@platform/shared/platform/codes/email-codes-store';
import { createKeyedHashes } from '@platform/shared/platform/codes/keyed-hashes';
import type { AccountsFeature } from '../accounts/accounts-feature.ts';
import type { EndingService, EndingStores } from '../endings/endings-service.ts';
import type { GuessLimitsFeature } from '../guess-limits/guess-limits-feature.ts';
import type { Base } from '../infrastructure.ts';
import type { PasswordsFeature } from '../passwords/passwords-feature.ts';
import { emailCodeRoutes } from './email-codes-routes.ts';
import { createEmailCodeService } from './email-codes-service.ts';
import { createPasswordResetService } from './password-reset-service.ts';
import { createResetDeviceStore } from './reset-devices-store.ts';
import { createWrongKindNotifier } from './wrong-kind-service.ts';

type Stores = EndingStores & { audit: AuditLog };
type Config = { codeSecret: Secret; newDeviceCode: boolean; returnOrigins: readonly string[] };

type EarlierFeatures = {
  passwords: PasswordsFeature;
  guessLimits: GuessLimitsFeature;
  accounts: AccountsFeature;
  endings: EndingService;
};

export const createEmailCodesFeature = (
  base: Base<Stores, Config>,
  { passwords, guessLimits, accounts, endings }: EarlierFeatures,
) => {
  const hashes = createKeyedHashes(base.config.codeSecret);
  const codes = createEmailCodeStore(base.redis, hashes);
  const resetDevices = createResetDeviceStore(base.redis, hashes[0]);
  const notifyWrongKind = createWrongKindNotifier(base);
  const common = { ...base, ...passwords, ...guessLimits, ...accounts, endings, codes };
  const emailCodes = createEmailCodeService({ ...common, notifyWrongKind });
  const resets = createPasswordResetService({ ...common, emailCodes, resetDevices });
  return { emailCodes, resetDevices, routes: emailCodeRoutes(emailCodes, resets) };
};

export type EmailCodesFeature = ReturnType<typeof createEmailCodesFeature>;
