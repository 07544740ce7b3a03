import type { RequestContext } from '@platform/shared/audit/audit-log';
import type { Language } from '@platform/shared/mail/mail';
import type { PasswordHasher } from '@platform/shared/passwords/password-hasher';
import type { ClientContext, ConfirmingCaller } from '../feature-types.ts';
import type { Kind } from '../kinds.ts';
import type { InTransaction, Stores } from '../stores.ts';
import { type Account, type AccountWithPassword, currentPasswordWrong, toAccountAudit } from './account.ts';
import type { ValidatePassword } from './password-policy.ts';

type Dependencies = {
  stores: Stores;
  /** The hash of the password. @throws AppError 400 CURRENT_PASSWORD_WRONG, 429 RATE_LIMITED */
  verifyCurrentPassword: (caller: ConfirmingCaller, password: string, network: string) => Promise<string>;
  inTransaction: InTransaction;
  hasher: PasswordHasher;
  validatePassword: ValidatePassword;
  /** Of wrong passwords at sign-ins and at password changes. */
  resetAccountLimits: (account: Account) => Promise<void>;
};

type PasswordChange = { currentPassword: string; newPassword: string };

export const createPasswordService = ({
  stores: { accounts },
  inTransaction,
  hasher,
  validatePassword,
  verifyCurrentPassword,
  resetAccountLimits,
}: Dependencies) => {
  const createPasswordChangedMail = ({ email }: Account, language: Language) =>
    ({ template: 'password-changed', to: email, language, changedAt: new Date().toISOString() }) as const;

  return {
    /** Ends the user's other sessions. @throws AppError 400 CURRENT_PASSWORD_WRONG, 429 RATE_LIMITED */
    changePassword: async (
      caller: ConfirmingCaller,
      { currentPassword, newPassword }: PasswordChange,
      { network, language, ...context }: ClientContext,
    ): Promise<void> => {
      const { kind, account, tokenId } = caller;
      const { userId } = account;
      await validatePassword(newPassword, account.email, 'newPassword');
      const currentHash = await verifyCurrentPassword(caller, currentPassword, network);
      const passwordHash = await hasher.hash(newPassword);
      await inTransaction(async (stores) => {
        const user = await stores.accounts.lock(userId);
        // A concurrent request has changed the password since it was compared.
        if (user?.passwordHash !== currentHash) throw currentPasswordWrong();
        await stores.accounts.setPassword(userId, passwordHash);
        await stores.sessions.removeTokensOfUser(userId, tokenId);
        await stores.outbox.add(createPasswordChangedMail(account, language), context.requestId);
        await stores.audit.add({
          ...context,
          ...toAccountAudit('PASSWORD_CHANGED', kind, userId),
          actorId: userId,
        });
      });
    },

    /**
     * Ends all sessions of the user; marks the e-mail verified, because the reset code proved it. False when the account has
     * been deleted, or its e-mail changed, since it was found.
     */
    resetPassword: async (
      kind: Kind,
      account: Account,
      { passwordHash, language }: { passwordHash: string; language: Language },
      context: RequestContext,
    ): Promise<boolean> => {
      const { userId } = account;
      const isReset = await inTransaction(async (stores) => {
        const user = await stores.accounts.lock(userId);
        if (user?.email !== account.email) return false;
        await stores.accounts.setPassword(userId, passwordHash);
        const isNewlyVerified = await stores.accounts.markEmailVerified(userId);
        await stores.sessions.removeTokensOfUser(userId);
        await stores.outbox.add(createPasswordChangedMail(account, language), context.requestId);
        if (isNewlyVerified)
          await stores.audit.add({ ...context, ...toAccountAudit('EMAIL_VERIFIED', kind, userId) });
        await stores.audit.add({ ...context, ...toAccountAudit('PASSWORD_RESET', kind, userId) });
        return true;
      });
      if (isReset) await resetAccountLimits(account);
      return isReset;
    },

    /** Called at a sign-in, the only time when the password is known and can be hashed at the current cost. */
    rehashPassword: async (account: AccountWithPassword, password: string): Promise<AccountWithPassword> => {
      const passwordHash = await hasher.hash(password);
      if (await accounts.replaceHash(account.userId, account.passwordHash, passwordHash))
        return { ...account, passwordHash };
      // A concurrent sign-in has rehashed the password, or it was changed: compare with the stored hash.
      const storedHash = await accounts.findPasswordHash(account.userId);
      const matches = await hasher.compare(password, storedHash);
      return matches && storedHash !== undefined ? { ...account, passwordHash: storedHash } : account;
    },
  };
};

export type PasswordService = ReturnType<typeof createPasswordService>;
