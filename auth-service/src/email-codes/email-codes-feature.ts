import type { AccountsFeature } from '../accounts/accounts-feature.ts';
import { createKeyedHashes } from '../guess-limits/guess-limits.ts';
import type { GuessLimitService } from '../guess-limits/guess-limits-service.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Kind } from '../kinds.ts';
import { emailCodeRoutes } from './email-codes-routes.ts';
import { createEmailCodeService } from './email-codes-service.ts';
import { createEmailCodeStore } from './email-codes-store.ts';

type Earlier = { guessLimits: GuessLimitService; accounts: AccountsFeature };

export const createEmailCodesFeature = (
  infrastructure: Infrastructure,
  { guessLimits, accounts }: Earlier,
) => {
  const { config, redis } = infrastructure;
  const codes = createEmailCodeStore(redis, createKeyedHashes(config.codeSecret));
  const emailCodes = createEmailCodeService({ ...infrastructure, ...accounts, guessLimits, codes });
  return { emailCodes, kindRoutes: (kind: Kind) => emailCodeRoutes(kind, emailCodes) };
};

export type EmailCodesFeature = ReturnType<typeof createEmailCodesFeature>;
