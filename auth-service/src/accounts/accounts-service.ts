import { findPlatformRole } from '@platform/shared/access/platform-role';
import type { RequestContext } from '@platform/shared/audit/audit-log';
import { factsOf, type Kind, type ProfileKind } from '../kinds.ts';
import type { InTransaction } from '../stores.ts';
import {
  type AccountWithPassword,
  type AccountWithProfile,
  accountChange,
  emailTaken,
  type NewProfile,
  normaliseEmail,
} from './account.ts';
import type { AccountStore } from './accounts-store.ts';
import type { PasswordPolicy } from './password-policy.ts';

type Dependencies = {
  accounts: AccountStore;
  inTransaction: InTransaction;
  hashPassword: (password: string) => Promise<string>;
  requireGoodPassword: PasswordPolicy;
};

type SignUp = NewProfile & { email: string; password: string };

export const createAccountService = ({
  accounts,
  inTransaction,
  hashPassword,
  requireGoodPassword,
}: Dependencies) => ({
  /** In whatever letter case the e-mail is given. */
  find: (kind: Kind, email: string): Promise<AccountWithPassword | undefined> =>
    accounts.findByEmail(kind, normaliseEmail(email)),

  /** Only one who may be of the kind: of administrators, one who holds a platform role. */
  findMember: async (kind: Kind, email: string): Promise<AccountWithPassword | undefined> => {
    const account = await accounts.findByEmail(kind, normaliseEmail(email));
    const isMember = account && (!factsOf(kind).hasPlatformRole || findPlatformRole(account.roles));
    return isMember ? account : undefined;
  },

  /** @throws AppError 400 for a common password, 409 EMAIL_TAKEN */
  signUp: async (
    kind: ProfileKind,
    { email: given, password, ...profile }: SignUp,
  ): Promise<AccountWithProfile> => {
    const email = normaliseEmail(given);
    requireGoodPassword(password, email, 'password');
    // Saves the quarter second of a hash; of two at once the unique e-mail decides.
    if (await accounts.emailExists(email)) throw emailTaken();
    return await accounts.create(kind, { email, passwordHash: await hashPassword(password), ...profile });
  },

  /** After a code proved the address to its signed-in owner; of two at once, one is recorded. */
  markEmailVerified: (kind: Kind, userId: string, origin: RequestContext): Promise<void> =>
    inTransaction(async (stores) => {
      if (await stores.accounts.markEmailVerified(userId))
        await stores.audit.add({
          ...origin,
          ...accountChange('EMAIL_VERIFIED', kind, userId),
          actorId: userId,
        });
    }),
});

export type AccountService = ReturnType<typeof createAccountService>;
