import type { RequestContext } from '@platform/shared/audit/audit-log';
import type { PasswordHasher } from '@platform/shared/passwords/password-hasher';
import type { ConfirmingCaller } from '../feature-types.ts';
import type { Kind } from '../kinds.ts';
import type { InTransaction, Stores } from '../stores.ts';
import { type Account, type AccountWithPassword, currentPasswordWrong, toAccountAudit } from './account.ts';
import { requireChangeAllowed } from './change-limit-service.ts';
import { proveEmail } from './ownership-service.ts';
import type { ValidatePassword } from './password-policy.ts';

type Dependencies = {
  stores: Stores;
  /** The hash of the password. @throws AppError 400 CURRENT_PASSWORD_WRONG, 429 RATE_LIMITED */
  verifyCurrentPassword: (
    caller: ConfirmingCaller,
    password: string,
    context: RequestContext,
  ) => Promise<string>;
  inTransaction: InTransaction;
  hasher: PasswordHasher;
  validatePassword: ValidatePassword;
};

type PasswordChange = { currentPassword: string; newPassword: string };

export const createPasswordService = (dependencies: Dependencies) => {
  const { stores, inTransaction, hasher, validatePassword, verifyCurrentPassword } = dependencies;

  const mailChange = (
    { outbox }: Stores,
    { email, language }: Account,
    { requestId }: RequestContext,
  ): Promise<void> => {
    const changedAt = new Date().toISOString();
    return outbox.add({ template: 'password-changed', to: email, language, changedAt }, requestId);
  };

  return {
    /** Ends the user's other sessions. @throws AppError 400 CURRENT_PASSWORD_WRONG, 429 RATE_LIMITED, 503 */
    changePassword: async (
      caller: ConfirmingCaller,
      { currentPassword, newPassword }: PasswordChange,
      context: RequestContext,
    ): Promise<void> => {
      const { kind, account, tokenId } = caller;
      const { userId, email } = account;
      // Before the hashes, which are slow.
      await requireChangeAllowed(stores, userId, 'password');
      await validatePassword(newPassword, email, 'newPassword');
      const currentHash = await verifyCurrentPassword(caller, currentPassword, context);
      const passwordHash = await hasher.hash(newPassword, { onBehalfOf: userId });
      await inTransaction(async (stores) => {
        const user = await stores.accounts.lock(userId);
        // A concurrent request has changed the password since it was compared.
        if (user?.passwordHash !== currentHash) throw currentPasswordWrong();
        await requireChangeAllowed(stores, userId, 'password');
        await stores.accounts.setPassword(userId, passwordHash);
        await stores.sessions.removeTokensOfUser(userId, tokenId);
        await mailChange(stores, account, context);
        await stores.audit.add({
          ...context,
          ...toAccountAudit('PASSWORD_CHANGED', kind, userId),
          actorId: userId,
        });
      });
    },

    /**
     * Ends all sessions of the user, and proves the e-mail, because the code was mailed to it. False when the account has been
     * deleted, or its e-mail changed, since it was found.
     */
    resetPassword: (
      kind: Kind,
      account: Account,
      passwordHash: string,
      context: RequestContext,
    ): Promise<boolean> =>
      inTransaction(async (stores) => {
        const { userId } = account;
        const user = await stores.accounts.lock(userId);
        if (user?.email !== account.email) return false;
        await stores.accounts.setPassword(userId, passwordHash);
        await proveEmail(stores, { kind, account }, context);
        await stores.sessions.removeTokensOfUser(userId);
        await mailChange(stores, account, context);
        await stores.audit.add({ ...context, ...toAccountAudit('PASSWORD_RESET', kind, userId) });
        return true;
      }),

    /** Called at a sign-in, the only time when the password is known and can be hashed at the current cost. */
    rehashPassword: async (account: AccountWithPassword, password: string): Promise<AccountWithPassword> => {
      const { accounts } = stores;
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
