import type { RequestContext } from '@platform/shared/audit/audit-log';
import type { Infrastructure } from '../infrastructure.ts';
import type { Kind } from '../kinds.ts';
import type { Stores } from '../stores.ts';
import {
  type Account,
  type AccountWithPassword,
  type ConfirmingCaller,
  currentPasswordWrong,
  toAccountAudit,
  toOwnAudit,
  toOwnGuess,
} from './account.ts';
import type { AccountChanges } from './account-changes-service.ts';
import type { ValidatePassword } from './password-policy.ts';

type Dependencies = Pick<Infrastructure, 'stores' | 'inTransaction' | 'hasher' | 'guessLimits'> & {
  changes: AccountChanges;
  validatePassword: ValidatePassword;
};

type PasswordChange = { currentPassword: string; newPassword: string };

const mailChange = ({ outbox }: Stores, { email, language }: Account, { requestId }: RequestContext) => {
  const changedAt = new Date().toISOString();
  return outbox.add({ template: 'password-changed', to: email, language, changedAt }, requestId);
};

export const createPasswordService = (dependencies: Dependencies) => {
  const { stores, inTransaction, hasher, guessLimits, changes, validatePassword } = dependencies;

  /** Returns the stored hash. Alone it clears no failures of an account that has a second factor. */
  const verifyCurrentPassword = (caller: ConfirmingCaller, password: string): Promise<string> => {
    const { userId } = caller.account;
    return guessLimits.limitGuesses(toOwnGuess('password', caller), async () => {
      const hash = await stores.accounts.findPasswordHash(userId);
      // One account must not keep the hashing queue busy.
      const isCorrect = await hasher.compare(password, hash, { onBehalfOf: userId });
      if (hash === undefined || !isCorrect) return { kind: 'wrong', error: currentPasswordWrong() };
      return { kind: (await stores.secondFactor.isEnabled(userId)) ? 'incomplete' : 'correct', result: hash };
    });
  };

  /**
   * Verifies the password as one limited attempt. Returns how to run a change in a transaction that has locked the user, who
   * still has this password.
   * @throws AppError 400 CURRENT_PASSWORD_WRONG, 429 RATE_LIMITED, 503
   */
  const confirmPassword = async (caller: ConfirmingCaller, password: string) => {
    const hash = await verifyCurrentPassword(caller, password);
    return <Result>(change: (stores: Stores) => Promise<Result>): Promise<Result> =>
      inTransaction(async (stores) => {
        const user = await stores.accounts.lock(caller.account.userId);
        // A concurrent request has changed the password since it was compared.
        if (user?.passwordHash !== hash) throw currentPasswordWrong();
        return await change(stores);
      });
  };

  return {
    confirmPassword,

    /** Ends the user's other sessions. @throws AppError 400 CURRENT_PASSWORD_WRONG, 429 RATE_LIMITED, 503 */
    changePassword: async (
      caller: ConfirmingCaller,
      { currentPassword, newPassword }: PasswordChange,
    ): Promise<void> => {
      const { account, tokenId, context } = caller;
      const { userId, email } = account;
      // Before the hashes, which are slow.
      await changes.requireChangeAllowed(stores, userId, 'password');
      await validatePassword(newPassword, email, 'newPassword');
      const inConfirmedTransaction = await confirmPassword(caller, currentPassword);
      const passwordHash = await hasher.hash(newPassword, { onBehalfOf: userId });
      await inConfirmedTransaction(async (stores) => {
        await changes.requireChangeAllowed(stores, userId, 'password');
        await stores.accounts.setPassword(userId, passwordHash);
        await stores.sessions.removeTokensOfUser(userId, tokenId);
        await mailChange(stores, account, context);
        await stores.audit.add(toOwnAudit('PASSWORD_CHANGED', caller));
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
        await changes.proveEmail(stores, { kind, account, context });
        await stores.sessions.removeTokensOfUser(userId);
        await mailChange(stores, account, context);
        await stores.audit.add(toAccountAudit('PASSWORD_RESET', { kind, userId }, context));
        return true;
      }),

    /**
     * Called at a sign-in, the only time when the password is known and can be hashed at the current cost. Returns the account
     * with its hash as stored afterwards.
     */
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
