import type { AccountsFeature } from '../accounts/accounts-feature.ts';
import { createKeyedHashes } from '../guess-limits/guess-limits.ts';
import type { Infrastructure } from '../infrastructure.ts';
import { emailCodeRoutes } from './email-codes-routes.ts';
import { createEmailCodeService } from './email-codes-service.ts';
import { createEmailCodeStore } from './email-codes-store.ts';

export const createEmailCodesFeature = (infrastructure: Infrastructure, accounts: AccountsFeature) => {
  const { config, redis } = infrastructure;
  const codes = createEmailCodeStore(redis, createKeyedHashes(config.codeSecret));
  const emailCodes = createEmailCodeService({ ...infrastructure, ...accounts, codes });
  return { emailCodes, routes: emailCodeRoutes(emailCodes) };
};

export type EmailCodesFeature = ReturnType<typeof createEmailCodesFeature>;
