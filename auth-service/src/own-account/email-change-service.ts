import { tokenInvalid } from '@platform/shared/errors/app-error';
import { isPlatformRole } from '@platform/shared/platform/access/platform-role';
import { requireAllowedDomain } from '@platform/shared/platform/accounts/account';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import { codeInvalid } from '@platform/shared/platform/codes/email-code';
import { normaliseEmail } from '../accounts/account.ts';
import { toEndedDetails, toOwnAudit } from '../accounts/account-audit.ts';
import { isStateCurrent } from '../accounts/account-state.ts';
import type { Account, ConfirmingCaller } from '../authentication/callers.ts';
import type { EmailCodeService } from '../email-codes/email-codes-service.ts';
import type { EndingService, EndingStores } from '../endings/endings-service.ts';
import type { ChangeLimitService } from '../guess-limits/change-limits-service.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { Confirmation } from '../second-factor/confirmation.ts';
import type { ConfirmationService } from '../second-factor/confirmation-service.ts';
import type { PasskeyStore } from '../webauthn/passkeys-store.ts';
import { emailUnchanged, type PendingEmailChange } from './own-account.ts';
import type { PendingChangeStore } from './own-account-store.ts';

type Stores = EndingStores & { passkeys: PasskeyStore; audit: AuditLog };

type Dependencies = {
  config: { adminAllowedDomains: readonly string[] };
  stores: Pick<Stores, 'accounts' | 'audit'>;
  inTransaction: InTransaction<Stores>;
  changeLimits: ChangeLimitService;
  confirmations: ConfirmationService;
  endings: EndingService;
  emailCodes: EmailCodeService;
  pendingChanges: PendingChangeStore;
};

export const createEmailChangeService = (dependencies: Dependencies) => {
  const { config, stores, inTransaction, changeLimits, confirmations } = dependencies;
  const { endings, emailCodes, pendingChanges } = dependencies;

  /** Administrators can sign in only with an allowed domain. @throws AppError 403 DOMAIN_NOT_ALLOWED */
  const requireEligible = ({ roles }: Account, newEmail: string): void => {
    if (roles.some(isPlatformRole)) requireAllowedDomain(newEmail, config.adminAllowedDomains);
  };

  /** Requires a transaction that has locked the user. */
  const startChange = async (
    stores: Stores,
    caller: ConfirmingCaller,
    newEmail: string,
    userAgent: string | null,
  ) => {
    const { account, context } = caller;
    const { userId, language } = account;
    const user = await stores.accounts.lock(userId);
    if (!user) throw tokenInvalid();
    const requestedAt = new Date().toISOString();
    const { email: to, isEmailVerified } = user;
    const notice = { to, language, isEmailVerified, requestedAt };
    const mail = { template: 'email-change-requested', ...notice } as const;
    await stores.outbox.add(mail, context.requestId, userId);
    await stores.audit.add(toOwnAudit('EMAIL_CHANGE_REQUESTED', caller));
    const ownersLanguage = await stores.accounts.findLanguage(newEmail);
    // Send the code last: an error rolls the notice back, and a repeated transaction would hit the resend
    // lock.
    const sent = await emailCodes.sendEmailChangeCode(caller, newEmail, user, ownersLanguage, userAgent);
    await pendingChanges.set(userId, newEmail, user);
    return { newEmail, ...sent };
  };

  /** Requires a transaction. Forgets the user's other sessions. */
  const completeChange = async (stores: Stores, caller: ConfirmingCaller, pending: PendingEmailChange) => {
    const { account, context } = caller;
    const { userId, language, timeZone } = account;
    const { newEmail } = pending;
    const user = await stores.accounts.lock(userId);
    if (!user || !isStateCurrent(pending, user)) throw codeInvalid();
    // A role that was assigned in the meantime has ended the session.
    if (!(await stores.tokenRecords.exists(caller.tokenId))) throw tokenInvalid();
    await changeLimits.requireChangeAllowed(stores, userId, 'email');
    await stores.accounts.changeEmail(userId, newEmail);
    const owner = { ...caller, account: { ...account, email: newEmail } };
    const { email: to, isEmailVerified } = user;
    const isFirstProof = !isEmailVerified;
    const event = isFirstProof ? 'first-proof' : 'further-proof';
    const { endedSessions } = await endings.end(stores, event, owner);
    const changedAt = new Date().toISOString();
    const notice = { to, language, timeZone, isEmailVerified, changedAt, userId };
    // The row of the notice to the previous address has no user id, so that deleting the account does not delete it. A
    // thief could do that. The id in the mail deletes it if it cannot be sent.
    await stores.outbox.add({ template: 'email-changed', ...notice }, context.requestId, null);
    const details = { ...(isFirstProof && { isFirstProof }), ...toEndedDetails(endedSessions) };
    await stores.audit.add(toOwnAudit('EMAIL_CHANGED', caller, details));
  };

  return {
    /**
     * Mails a code to the new e-mail, or a notice if it already has an account. The response is the same. A
     * pending change to another address is replaced with its code.
     * @throws AppError 400 VALIDATION_FAILED, 403 DOMAIN_NOT_ALLOWED, 429 RESEND_LOCKED, 503; and the errors
     * of inConfirmedTransaction
     */
    requestChange: async (
      caller: ConfirmingCaller,
      input: string,
      confirmation: Confirmation,
      userAgent: string | null,
    ) => {
      const newEmail = normaliseEmail(input);
      if (newEmail === caller.account.email) throw emailUnchanged();
      requireEligible(caller.account, newEmail);
      const change = (stores: Stores) => startChange(stores, caller, newEmail, userAgent);
      return await confirmations.inConfirmedTransaction(inTransaction, caller, confirmation, 'never', change);
    },

    /** The change that waits for its code; null if there is none, or it has ended. @throws AppError 503 */
    findPending: async (caller: ConfirmingCaller) => {
      const { userId } = caller.account;
      const [pending, expiresIn] = await Promise.all([
        pendingChanges.find(userId),
        pendingChanges.findSecondsLeft(userId),
      ]);
      const state = pending && (await stores.accounts.findById(caller.kind, userId));
      if (!pending || !state || !isStateCurrent(pending, state) || expiresIn === 0) return null;
      const { newEmail } = pending;
      return { newEmail, expiresIn, resendIn: await emailCodes.findEmailChangeLock(caller, newEmail) };
    },

    /**
     * Returns the account with the new e-mail.
     * @throws AppError 400 CODE_INVALID, 403 DOMAIN_NOT_ALLOWED, 409 EMAIL_TAKEN, 429 RATE_LIMITED, 503
     */
    confirmChange: async (caller: ConfirmingCaller, code: string): Promise<Account> => {
      const pending = await pendingChanges.find(caller.account.userId);
      if (!pending) throw codeInvalid();
      const { newEmail } = pending;
      requireEligible(caller.account, newEmail);
      // Checked before the code is consumed; the transaction checks again.
      await changeLimits.requireChangeAllowed(stores, caller.account.userId, 'email');
      await emailCodes.consumeEmailChangeCode(caller, newEmail, code);
      await inTransaction((stores) => completeChange(stores, caller, pending));
      await pendingChanges.remove(caller.account.userId);
      return { ...caller.account, email: newEmail, isEmailVerified: true };
    },
  };
};

export type EmailChangeService = ReturnType<typeof createEmailChangeService>;
