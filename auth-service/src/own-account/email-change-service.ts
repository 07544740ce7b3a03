import { isPlatformRole } from '@platform/shared/access/platform-role';
import type { RequestContext } from '@platform/shared/audit/audit-log';
import { tokenInvalid } from '@platform/shared/errors/app-error';
import type { Language } from '@platform/shared/mail/mail';
import type { Account } from '../accounts/account.ts';
import type { ConfirmIdentity, ConfirmingCaller } from '../feature-types.ts';
import type { InTransaction, Stores } from '../stores.ts';
import { emailUnchanged, type PendingEmailChange, toOwnAudit } from './own-account.ts';
import type { PendingChangeStore } from './pending-changes-store.ts';

type SentCode = { expiresIn: number; resendIn: number };
type EmailChange = { newEmail: string; isTakenBy: { email: string; language: Language } | undefined };

type Dependencies = {
  stores: Stores;
  inTransaction: InTransaction;
  confirmIdentity: ConfirmIdentity;
  requireAllowedDomain: (email: string) => void;
  pendingChanges: PendingChangeStore;
  sendCode: (caller: ConfirmingCaller, change: EmailChange, context: RequestContext) => Promise<SentCode>;
  consumeCode: (
    caller: ConfirmingCaller,
    newEmail: string,
    code: string,
    context: RequestContext,
  ) => Promise<void>;
  /** The error of `consumeCode`. */
  codeInvalid: () => Error;
  requireChangeAllowed: (stores: Stores, userId: string, change: 'email') => Promise<void>;
  /** Everything that the first proof of an e-mail entails. */
  endEarlierSetup: (stores: Stores, caller: ConfirmingCaller, context: RequestContext) => Promise<void>;
};

type Request = { newEmail: string; currentPassword: string };

export const createEmailChangeService = (dependencies: Dependencies) => {
  const { stores, inTransaction, confirmIdentity, requireAllowedDomain, pendingChanges } = dependencies;
  const { sendCode, consumeCode, codeInvalid, requireChangeAllowed, endEarlierSetup } = dependencies;

  /** Administrators sign in with an allowed domain only. @throws AppError 403 DOMAIN_NOT_ALLOWED */
  const requireEligible = ({ roles }: Account, newEmail: string): void => {
    if (roles.some(isPlatformRole)) requireAllowedDomain(newEmail);
  };

  /** In a transaction that has locked the user. */
  const startChange = async (
    stores: Stores,
    caller: ConfirmingCaller,
    newEmail: string,
    context: RequestContext,
  ): Promise<SentCode> => {
    const { userId, language } = caller.account;
    const user = await stores.accounts.lock(userId);
    if (!user) throw tokenInvalid();
    const requestedAt = new Date().toISOString();
    const notice = { template: 'email-change-requested', to: user.email, language, requestedAt } as const;
    await stores.outbox.add(notice, context.requestId);
    await stores.audit.add(toOwnAudit('EMAIL_CHANGE_REQUESTED', caller, context));
    const ownersLanguage = await stores.accounts.findLanguage(newEmail);
    const isTakenBy = ownersLanguage && { email: newEmail, language: ownersLanguage };
    // Last: an error rolls the notice back, and a repeated transaction would meet the resend lock.
    const sent = await sendCode(caller, { newEmail, isTakenBy }, context);
    await pendingChanges.set(userId, newEmail, user);
    return sent;
  };

  /** In a transaction. Ends the user's other sessions. */
  const completeChange = async (
    stores: Stores,
    caller: ConfirmingCaller,
    pending: PendingEmailChange,
    context: RequestContext,
  ): Promise<void> => {
    const { account, tokenId } = caller;
    const { userId, language } = account;
    const { newEmail } = pending;
    const user = await stores.accounts.lock(userId);
    if (!user || !pendingChanges.isCurrent(pending, user)) throw codeInvalid();
    await requireChangeAllowed(stores, userId, 'email');
    await stores.accounts.changeEmail(userId, newEmail);
    await stores.sessions.removeTokensOfUser(userId, tokenId);
    if (!user.isEmailVerified)
      await endEarlierSetup(stores, { ...caller, account: { ...account, email: newEmail } }, context);
    const changedAt = new Date().toISOString();
    const notice = { template: 'email-changed', to: user.email, language, changedAt } as const;
    await stores.outbox.add(notice, context.requestId);
    await stores.audit.add(toOwnAudit('EMAIL_CHANGED', caller, context));
  };

  return {
    /**
     * Mails a code to the new e-mail, or a notice to its owner if it has an account: the response is the same.
     * @throws AppError 400: VALIDATION_FAILED, CURRENT_PASSWORD_WRONG; 403 DOMAIN_NOT_ALLOWED; 429 RESEND_LOCKED, RATE_LIMITED; 503
     */
    requestChange: async (
      caller: ConfirmingCaller,
      { newEmail: input, currentPassword }: Request,
      context: RequestContext,
    ): Promise<SentCode> => {
      const newEmail = input.toLowerCase();
      if (newEmail === caller.account.email) throw emailUnchanged();
      requireEligible(caller.account, newEmail);
      return await confirmIdentity(
        caller,
        { currentPassword },
        { requiresFactor: 'never' },
        context,
        (transaction) => startChange(transaction, caller, newEmail, context),
      );
    },

    /**
     * Returns the account with the new e-mail.
     * @throws AppError 400 CODE_INVALID, 403 DOMAIN_NOT_ALLOWED, 409 EMAIL_TAKEN, 429 RATE_LIMITED, 503
     */
    confirmChange: async (
      caller: ConfirmingCaller,
      code: string,
      context: RequestContext,
    ): Promise<Account> => {
      const pending = await pendingChanges.find(caller.account.userId);
      if (!pending) throw codeInvalid();
      const { newEmail } = pending;
      requireEligible(caller.account, newEmail);
      // Before the code is consumed; the transaction checks again.
      await requireChangeAllowed(stores, caller.account.userId, 'email');
      await consumeCode(caller, newEmail, code, context);
      await inTransaction((transaction) => completeChange(transaction, caller, pending, context));
      await pendingChanges.remove(caller.account.userId);
      return { ...caller.account, email: newEmail, isEmailVerified: true };
    },
  };
};

export type EmailChangeService = ReturnType<typeof createEmailChangeService>;
