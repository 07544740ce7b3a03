import type { RequestContext } from '@platform/shared/http/request-context';
import type { RunConfirmed } from '../confirm-caller.ts';
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

type Dependencies = Pick<Infrastructure, 'stores' | 'inTransaction' | 'hasher' | 'guessLimits'> & {
  changes: AccountChanges;
};

const mailChange = ({ outbox }: Stores, account: Account, { requestId }: RequestContext) => {
  const { userId, email: to, language, isEmailVerified } = account;
  const changedAt = new Date().toISOString();
  const mail = { template: 'password-changed', to, language, isEmailVerified, changedAt } as const;
  return outbox.add(mail, requestId, userId);
};

export const createPasswordService = ({
  stores,
  inTransaction,
  hasher,
  guessLimits,
  changes,
}: Dependencies) => {
  /** Returns the stored hash. If the account has a second factor, the password alone clears no failures. */
  const verifyCurrentPassword = (caller: ConfirmingCaller, password: string | undefined): Promise<string> => {
    const { userId } = caller.account;
    return guessLimits.limitGuesses(toOwnGuess('password', caller), async () => {
      const hash = await stores.accounts.findPasswordHash(userId);
      // Counts towards the user's limit, so that one account cannot fill the hashing queue.
      const isCorrect = password !== undefined && (await hasher.compare(password, hash, { userId }));
      if (!(hash && isCorrect)) return { kind: 'wrong', error: currentPasswordWrong() };
      return { kind: (await stores.secondFactor.isEnabled(userId)) ? 'incomplete' : 'correct', result: hash };
    });
  };

  return {
    /**
     * Verifies the password as one limited attempt. A missing password is wrong, unless the account has none.
     * Returns a function that runs a change in a transaction that has locked the user, whose password is
     * still the same.
     * @throws AppError 400 CURRENT_PASSWORD_WRONG, 429 RATE_LIMITED, 503
     */
    confirmPassword: async (
      caller: ConfirmingCaller,
      password: string | undefined,
    ): Promise<{ hasPassword: boolean; inConfirmedTransaction: RunConfirmed }> => {
      const { userId } = caller.account;
      const hasNone = password === undefined && (await stores.accounts.findPasswordHash(userId)) === null;
      const hash = hasNone ? null : await verifyCurrentPassword(caller, password);
      const inConfirmedTransaction: RunConfirmed = (change) =>
        inTransaction(async (stores) => {
          const user = await stores.accounts.lock(userId);
          // A concurrent request has changed the password since it was compared.
          if (user?.passwordHash !== hash) throw currentPasswordWrong();
          return await change(stores);
        });
      return { hasPassword: !hasNone, inConfirmedTransaction };
    },

    /**
     * Forgets all sessions of the user. Also proves the e-mail, because the code was mailed to it. Returns
     * false if the account was deleted or its e-mail changed in the meantime.
     */
    resetPassword: (kind: Kind, account: Account, passwordHash: string, context: RequestContext) =>
      inTransaction(async (stores) => {
        const { userId } = account;
        const user = await stores.accounts.lock(userId);
        if (user?.email !== account.email) return false;
        await stores.accounts.setPassword(userId, passwordHash);
        await changes.proveEmail(stores, { kind, account, context });
        await mailChange(stores, { ...account, isEmailVerified: true }, context);
        await stores.audit.add(toAccountAudit('PASSWORD_RESET', { kind, userId }, context));
        return true;
      }),

    /**
     * Changes the password of the signed-in user in the caller's transaction. Ends the user's other sessions.
     */
    changePassword: async (stores: Stores, caller: ConfirmingCaller, passwordHash: string): Promise<void> => {
      const { account, tokenId, context } = caller;
      await stores.accounts.setPassword(account.userId, passwordHash);
      await stores.sessions.removeTokensOfUser(account.userId, tokenId);
      await mailChange(stores, account, context);
      await stores.audit.add(toOwnAudit('PASSWORD_CHANGED', caller));
    },

    /**
     * Called at a sign-in, which is the only time when the password is known and can be hashed with the
     * current cost. Returns the account with the hash that is stored afterwards.
     */
    rehashPassword: async (account: AccountWithPassword, password: string): Promise<AccountWithPassword> => {
      const { accounts } = stores;
      const passwordHash = await hasher.hash(password);
      if (await accounts.replaceHash(account.userId, account.passwordHash, passwordHash))
        return { ...account, passwordHash };
      // A concurrent sign-in has rehashed the password, or it was changed, so compare with the stored hash.
      const storedHash = await accounts.findPasswordHash(account.userId);
      const matches = await hasher.compare(password, storedHash);
      return matches && storedHash ? { ...account, passwordHash: storedHash } : account;
    },
  };
};

export type PasswordService = ReturnType<typeof createPasswordService>;
