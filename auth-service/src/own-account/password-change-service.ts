import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import { toPasswordChangedMail } from '../accounts/account.ts';
import { toEndedDetails, toOwnAudit } from '../accounts/account-audit.ts';
import type { ConfirmingCaller } from '../authentication/callers.ts';
import type { EndingService, EndingStores } from '../endings/endings-service.ts';
import type { ChangeLimitService } from '../guess-limits/change-limits-service.ts';
import { toOwnGuess } from '../guess-limits/guess-limits.ts';
import type { GuessLimitService } from '../guess-limits/guess-limits-service.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { PasswordHasher } from '../passwords/password-hasher-adapter.ts';
import { samePassword, type ValidatePassword } from '../passwords/password-policy.ts';
import type { Confirmation } from '../second-factor/confirmation.ts';
import type { ConfirmationService } from '../second-factor/confirmation-service.ts';
import type { PasskeyStore } from '../webauthn/passkeys-store.ts';

type Stores = EndingStores & { passkeys: PasskeyStore; audit: AuditLog };

type Dependencies = {
  stores: Pick<Stores, 'audit'>;
  inTransaction: InTransaction<Stores>;
  hasher: PasswordHasher;
  guessLimits: GuessLimitService;
  changeLimits: ChangeLimitService;
  validatePassword: ValidatePassword;
  confirmations: ConfirmationService;
  endings: EndingService;
};

/** Changes the password of a signed-in user, or sets the first one. */
export const createPasswordChangeService = (dependencies: Dependencies) => {
  const { stores, inTransaction, hasher, guessLimits, changeLimits } = dependencies;
  const { validatePassword, confirmations, endings } = dependencies;
  return {
    /**
     * Ends the user's other sessions. @throws AppError 400 VALIDATION_FAILED, also for the current password,
     * 429 RATE_LIMITED, and the errors of inConfirmedTransaction
     */
    changePassword: async (
      caller: ConfirmingCaller,
      newPassword: string,
      confirmation: Confirmation,
    ): Promise<void> => {
      const { account, context } = caller;
      const { userId, email } = account;
      // Checked before the hashes, which are slow.
      await changeLimits.requireChangeAllowed(stores, userId, 'password');
      await validatePassword(newPassword, email, 'newPassword');
      const confirmed = await confirmations.confirmPassword(caller, confirmation, 'never');
      if (newPassword === confirmation.currentPassword) throw samePassword();
      const requester = await guessLimits.toRequester(toOwnGuess('password', caller));
      const passwordHash = await hasher.limitChecks(userId, () => hasher.hash(newPassword, requester));
      await confirmations.changeConfirmed(inTransaction, confirmed, async (stores) => {
        await changeLimits.requireChangeAllowed(stores, userId, 'password');
        await stores.accounts.setPassword(userId, passwordHash);
        const { endedSessions } = await endings.end(stores, 'password-change', caller);
        await stores.outbox.add(toPasswordChangedMail(account), context.requestId, userId);
        await stores.audit.add(toOwnAudit('PASSWORD_CHANGED', caller, toEndedDetails(endedSessions)));
      });
    },
  };
};

export type PasswordChangeService = ReturnType<typeof createPasswordChangeService>;
