import { createErrorLog } from '@platform/shared/log/repeated-errors';
import type { Base } from '../infrastructure.ts';
import { createBreachedPasswordLookup, readCommonPasswords } from './known-passwords-adapter.ts';
import { createPasswordHasher } from './password-hasher-adapter.ts';
import { createPasswordPolicy } from './password-policy.ts';

type Stores = { accounts: { findHighestPasswordCost: () => Promise<number | undefined> } };
type Config = {
  bcryptCost: number;
  passwordQueueLimit: number;
  rejectCommonPasswords: boolean;
  breachedPasswordsUrl: string | undefined;
};

export const createPasswordsFeature = ({ config, log, metrics, stores }: Base<Stores, Config>) => ({
  hasher: createPasswordHasher({
    cost: config.bcryptCost,
    maxQueue: config.passwordQueueLimit,
    readHighestCost: stores.accounts.findHighestPasswordCost,
    metrics,
  }),
  validatePassword: createPasswordPolicy({
    isCommon: config.rejectCommonPasswords ? readCommonPasswords() : () => false,
    isBreached: createBreachedPasswordLookup({
      url: config.breachedPasswordsUrl,
      metrics,
      onError: createErrorLog(log, 'breached passwords not looked up'),
    }),
  }),
});

export type PasswordsFeature = ReturnType<typeof createPasswordsFeature>;
