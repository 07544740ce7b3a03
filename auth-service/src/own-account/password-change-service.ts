import { type ConfirmingCaller, toOwnGuess } from '../accounts/account.ts';
import type { AccountChanges } from '../accounts/account-changes-service.ts';
import type { Confirmation } from '../accounts/confirmation.ts';
import type { ValidatePassword } from '../accounts/password-policy.ts';
import type { PasswordService } from '../accounts/passwords-service.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { ConfirmationService } from '../second-factor/confirmation-service.ts';

type Dependencies = Pick<Infrastructure, 'stores' | 'hasher' | 'guessLimits'> & {
  changes: AccountChanges;
  passwords: PasswordService;
  validatePassword: ValidatePassword;
  confirmations: ConfirmationService;
};

/** Changes the password of a signed-in user, or sets the first one. */
export const createPasswordChangeService = (dependencies: Dependencies) => {
  const { stores, hasher, guessLimits, changes, passwords, validatePassword, confirmations } = dependencies;
  return {
    /** Ends the user's other sessions. @throws AppError 429 RATE_LIMITED, and the errors of confirmCaller */
    changePassword: async (
      caller: ConfirmingCaller,
      newPassword: string,
      confirmation: Confirmation,
    ): Promise<void> => {
      const { userId, email } = caller.account;
      // Checked before the hashes, which are slow.
      await changes.requireChangeAllowed(stores, userId, 'password');
      await validatePassword(newPassword, email, 'newPassword');
      const requester = guessLimits.toRequester(toOwnGuess('password', caller));
      const inConfirmedTransaction = await confirmations.confirmCaller(caller, confirmation, 'never');
      const passwordHash = await hasher.hash(newPassword, { ...requester, userId });
      await inConfirmedTransaction(async (stores) => {
        await changes.requireChangeAllowed(stores, userId, 'password');
        await passwords.changePassword(stores, caller, passwordHash);
      });
    },
  };
};

export type PasswordChangeService = ReturnType<typeof createPasswordChangeService>;
