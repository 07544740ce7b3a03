import { findPlatformRole } from '@platform/shared/access/platform-role';
import type { RequestContext } from '@platform/shared/audit/audit-log';
import type { Language } from '@platform/shared/mail/mail';
import type { PasswordHasher } from '@platform/shared/passwords/password-hasher';
import type { ConfirmingCaller } from '../feature-types.ts';
import { KIND_CONFIGS, type Kind, type ProfileKind } from '../kinds.ts';
import type { InTransaction, Stores } from '../stores.ts';
import {
  type AccountWithPassword,
  type AccountWithProfile,
  emailTaken,
  type NewProfile,
  normaliseEmail,
} from './account.ts';
import { proveEmail } from './ownership-service.ts';
import type { ValidatePassword } from './password-policy.ts';

type Dependencies = {
  stores: Stores;
  inTransaction: InTransaction;
  hasher: PasswordHasher;
  validatePassword: ValidatePassword;
};

type SignUp = NewProfile & { email: string; password: string; language: Language };

export const createAccountService = ({
  stores: { accounts },
  inTransaction,
  hasher,
  validatePassword,
}: Dependencies) => ({
  /** Undefined when the account lacks the platform role that its kind requires. */
  findEligible: async (kind: Kind, email: string): Promise<AccountWithPassword | undefined> => {
    const account = await accounts.findByEmail(kind, normaliseEmail(email));
    const isEligible = account && (!KIND_CONFIGS[kind].hasPlatformRole || findPlatformRole(account.roles));
    return isEligible ? account : undefined;
  },

  /** @throws AppError 400 for a common password, 409 EMAIL_TAKEN */
  signUp: async (
    kind: ProfileKind,
    { email: emailInput, password, ...profile }: SignUp,
  ): Promise<AccountWithProfile> => {
    const email = normaliseEmail(emailInput);
    await validatePassword(password, email, 'password');
    // Saves the hash, which takes about 250 ms. The unique index on the e-mail resolves races.
    if (await accounts.emailExists(email)) throw emailTaken();
    return await accounts.create(kind, { email, passwordHash: await hasher.hash(password), ...profile });
  },

  /** Verifies the e-mail of a signed-in user, who has entered its code. */
  proveEmail: async (caller: ConfirmingCaller, context: RequestContext): Promise<void> => {
    await inTransaction((stores) => proveEmail(stores, caller, context));
  },
});

export type AccountService = ReturnType<typeof createAccountService>;
