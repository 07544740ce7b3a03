import { findPlatformRole } from '@platform/shared/access/platform-role';
import type { Language } from '@platform/shared/mail/mail';
import type { Infrastructure } from '../infrastructure.ts';
import { KIND_CONFIGS, type Kind, type ProfileKind } from '../kinds.ts';
import type { Stores } from '../stores.ts';
import {
  type AccountWithPassword,
  emailTaken,
  type NewProfile,
  type NewUser,
  normaliseEmail,
  userNotFound,
} from './account.ts';
import type { ValidatePassword } from './password-policy.ts';

type Dependencies = Pick<Infrastructure, 'stores' | 'inTransaction' | 'hasher'> & {
  validatePassword: ValidatePassword;
};

type SignUp = NewProfile & { email: string; password: string; language: Language };

/** In a transaction. @throws AppError 409 EMAIL_TAKEN */
const createAccount = async (
  { accounts }: Stores,
  kind: ProfileKind,
  user: NewUser,
  profile: NewProfile,
): Promise<AccountWithPassword> => {
  const { id } = await accounts.create(user);
  await accounts.addRole(id, KIND_CONFIGS[kind].profile.role);
  await accounts.addProfile(kind, id, profile);
  const account = await accounts.findById(kind, id);
  if (!account) throw userNotFound();
  return account;
};

export const createAccountService = ({ stores, inTransaction, hasher, validatePassword }: Dependencies) => ({
  /** Undefined when the account lacks the platform role that its kind requires. */
  findEligible: async (kind: Kind, email: string): Promise<AccountWithPassword | undefined> => {
    const account = await stores.accounts.findByEmail(kind, normaliseEmail(email));
    const isEligible = account && (!KIND_CONFIGS[kind].hasPlatformRole || findPlatformRole(account.roles));
    return isEligible ? account : undefined;
  },

  create: createAccount,

  /** @throws AppError 400 for a common password, 409 EMAIL_TAKEN */
  signUp: async (kind: ProfileKind, { email: emailInput, password, language, ...profile }: SignUp) => {
    const email = normaliseEmail(emailInput);
    await validatePassword(password, email, 'password');
    // Saves the hash, which takes about 250 ms. The unique index on the e-mail resolves races.
    if (await stores.accounts.emailExists(email)) throw emailTaken();
    const passwordHash = await hasher.hash(password);
    return await inTransaction((own) => createAccount(own, kind, { email, passwordHash, language }, profile));
  },
});

export type AccountService = ReturnType<typeof createAccountService>;
