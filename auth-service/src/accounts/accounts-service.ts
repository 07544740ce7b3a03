import type { Kind } from '../kinds.ts';
import {
  type Account,
  type AccountWithPassword,
  emailTaken,
  type NewProfile,
  normaliseEmail,
} from './account.ts';
import type { AccountStore } from './accounts-store.ts';

type Dependencies = {
  accounts: AccountStore;
  hashPassword: (password: string) => Promise<string>;
};

type SignUp = NewProfile & { email: string; password: string };

export const createAccountService = ({ accounts, hashPassword }: Dependencies) => ({
  /** In whatever letter case the e-mail is given. */
  find: (kind: Kind, email: string): Promise<AccountWithPassword | undefined> =>
    accounts.findByEmail(kind, normaliseEmail(email)),

  /** @throws AppError 409 EMAIL_TAKEN */
  signUp: async (kind: Kind, { email: given, password, ...profile }: SignUp): Promise<Account> => {
    const email = normaliseEmail(given);
    // Saves the quarter second of a hash; of two at once the unique e-mail decides.
    if (await accounts.emailExists(email)) throw emailTaken();
    return await accounts.create(kind, { email, passwordHash: await hashPassword(password), ...profile });
  },
});

export type AccountService = ReturnType<typeof createAccountService>;
