import { unavailable } from '@platform/shared/errors/app-error';
import type { RequestContext } from '@platform/shared/http/request-context';
import { findPlatformRole } from '@platform/shared/platform/access/platform-role';
import { userNotFound } from '@platform/shared/platform/accounts/account';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { InTransaction } from '../infrastructure.ts';
import { KIND_CONFIGS, type Kind, type ProfileKind } from '../kinds.ts';
import type { PasswordHasher } from '../passwords/password-hasher-adapter.ts';
import type { ValidatePassword } from '../passwords/password-policy.ts';
import {
  type AccountWithPassword,
  emailTaken,
  type MailPreferences,
  type NewUser,
  normaliseEmail,
} from './account.ts';
import { toNewAccountAudit } from './account-audit.ts';
import type { AccountStore } from './accounts-store.ts';
import type { NewProfile } from './profile.ts';

type Stores = { accounts: AccountStore; audit: AuditLog };

type Dependencies = {
  stores: Pick<Stores, 'accounts'>;
  inTransaction: InTransaction<Stores>;
  hasher: PasswordHasher;
  validatePassword: ValidatePassword;
  config: { isSignUpOpen: boolean };
};

/** An identity provider may vouch for the e-mail of a sign-up. */
type Origin = { context: RequestContext; isEmailVerified: boolean };
type SignUp = NewProfile & MailPreferences & { email: string; password: string };

/** Requires a transaction. Writes an audit record. @throws AppError 409 EMAIL_TAKEN */
const createAccount = async (
  { accounts, audit }: Stores,
  kind: ProfileKind,
  user: NewUser,
  profile: NewProfile,
  { context, isEmailVerified }: Origin,
): Promise<AccountWithPassword> => {
  const { id } = await accounts.create(user);
  await accounts.addRole(id, KIND_CONFIGS[kind].profile.role);
  await accounts.addProfile(kind, id, profile);
  if (isEmailVerified) await accounts.markEmailVerified(id);
  const record = toNewAccountAudit('ACCOUNT_REGISTERED', { kind, userId: id }, context, { isEmailVerified });
  await audit.add({ ...record, actorId: id });
  const account = await accounts.findById(kind, id);
  if (!account) throw userNotFound();
  return account;
};

const SIGN_UP_RETRY_SECONDS = 300;

/** @throws AppError 503 while SIGN_UP is off */
const requireOpenSignUp = ({ isSignUpOpen }: Dependencies['config']): void => {
  if (!isSignUpOpen)
    throw unavailable('Sign-up is switched off; retry later.', undefined, SIGN_UP_RETRY_SECONDS);
};

export const createAccountService = ({
  stores,
  inTransaction,
  hasher,
  validatePassword,
  config,
}: Dependencies) => ({
  /** Undefined if the account lacks the platform role that its kind requires. */
  findEligible: async (kind: Kind, email: string): Promise<AccountWithPassword | undefined> => {
    const account = await stores.accounts.findByEmail(kind, normaliseEmail(email));
    const isEligible = account && (!KIND_CONFIGS[kind].hasPlatformRole || findPlatformRole(account.roles));
    return isEligible ? account : undefined;
  },

  findGuessed: (email: string): ReturnType<AccountStore['findGuessed']> => stores.accounts.findGuessed(email),

  /**
   * Creates the account of a sign-up with a provider. Requires a transaction.
   * @throws AppError 409 EMAIL_TAKEN, 503 while SIGN_UP is off
   */
  create: async (...account: Parameters<typeof createAccount>) => {
    requireOpenSignUp(config);
    return await createAccount(...account);
  },

  /** @throws AppError 400 for a common password, 409 EMAIL_TAKEN, 503 while SIGN_UP is off */
  signUp: async (
    kind: ProfileKind,
    { email: emailInput, password, language, timeZone, ...profile }: SignUp,
    context: RequestContext,
  ) => {
    requireOpenSignUp(config);
    const email = normaliseEmail(emailInput);
    await validatePassword(password, email, 'password');
    // Saves the hash, which takes about 250 ms. The unique index on the e-mail decides races.
    if (await stores.accounts.emailExists(email)) throw emailTaken();
    const passwordHash = await hasher.hash(password, context);
    const user = { email, passwordHash, language, timeZone };
    const origin = { context, isEmailVerified: false };
    return await inTransaction((own) => createAccount(own, kind, user, profile, origin));
  },
});

export type AccountService = ReturnType<typeof createAccountService>;
