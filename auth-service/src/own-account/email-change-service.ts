import { createHash } from 'node:crypto';
import { isPlatformRole } from '@platform/shared/access/platform-role';
import { tokenInvalid } from '@platform/shared/errors/app-error';
import type { Account } from '../accounts/account.ts';
import type { CodeAttempt } from '../email-codes/email-code.ts';
import type { ClientContext, ConfirmIdentity, ConfirmingCaller, MailContext } from '../feature-types.ts';
import type { Kind } from '../kinds.ts';
import type { InTransaction, Stores } from '../stores.ts';
import { emailUnchanged, type PendingEmailChange, toOwnAudit } from './own-account.ts';
import type { PendingChangeStore } from './pending-changes-store.ts';

type SentCode = { expiresIn: number; resendIn: number };
type Change = { userId: string; newEmail: string };

type Dependencies = {
  inTransaction: InTransaction;
  confirmIdentity: ConfirmIdentity;
  requireAllowedDomain: (email: string) => void;
  pendingChanges: PendingChangeStore;
  sendCode: (
    kind: Kind,
    change: Change & { isTaken: boolean },
    context: Pick<MailContext, 'requestId' | 'language'>,
  ) => Promise<SentCode>;
  consumeCode: (kind: Kind, change: Change, attempt: CodeAttempt) => Promise<void>;
  /** The error of `consumeCode`. */
  codeInvalid: () => Error;
  /** Forgets the failed sign-ins at the e-mail from all networks; best effort. */
  resetSignInLimit: (email: string) => Promise<void>;
};

type Request = { newEmail: string; currentPassword: string };

const digest = (passwordHash: string): string =>
  createHash('sha256').update(passwordHash).digest('base64url');

export const createEmailChangeService = (dependencies: Dependencies) => {
  const { inTransaction, confirmIdentity, requireAllowedDomain, pendingChanges } = dependencies;
  const { sendCode, consumeCode, codeInvalid, resetSignInLimit } = dependencies;

  /** Administrators sign in with an allowed domain only. @throws AppError 403 DOMAIN_NOT_ALLOWED */
  const requireEligible = ({ roles }: Account, newEmail: string): void => {
    if (roles.some(isPlatformRole)) requireAllowedDomain(newEmail);
  };

  /** In a transaction that has locked the user. */
  const startChange = async (
    stores: Stores,
    caller: ConfirmingCaller,
    newEmail: string,
    client: ClientContext,
  ): Promise<SentCode> => {
    const { userId } = caller.account;
    const { language, requestId } = client;
    const user = await stores.accounts.lock(userId);
    if (!user) throw tokenInvalid();
    const requestedAt = new Date().toISOString();
    const notice = { template: 'email-change-requested', to: user.email, language, requestedAt } as const;
    await stores.outbox.add(notice, requestId);
    await stores.audit.add(toOwnAudit('EMAIL_CHANGE_REQUESTED', caller, client));
    const isTaken = await stores.accounts.emailExists(newEmail);
    // Last: an error rolls the notice back, and a repeated transaction would meet the resend lock.
    const sent = await sendCode(caller.kind, { userId, newEmail, isTaken }, { requestId, language });
    await pendingChanges.set(userId, { newEmail, passwordDigest: digest(user.passwordHash) });
    return sent;
  };

  /** In a transaction. Ends the user's other sessions; returns the former e-mail. */
  const completeChange = async (
    stores: Stores,
    caller: ConfirmingCaller,
    { newEmail, passwordDigest }: PendingEmailChange,
    context: MailContext,
  ): Promise<string> => {
    const { userId } = caller.account;
    const user = await stores.accounts.lock(userId);
    if (!user || digest(user.passwordHash) !== passwordDigest) throw codeInvalid();
    await stores.accounts.changeEmail(userId, newEmail);
    await stores.sessions.removeTokensOfUser(userId, caller.tokenId);
    const { language, requestId } = context;
    const changedAt = new Date().toISOString();
    await stores.outbox.add({ template: 'email-changed', to: user.email, language, changedAt }, requestId);
    await stores.audit.add(toOwnAudit('EMAIL_CHANGED', caller, context));
    return user.email;
  };

  return {
    /**
     * Mails a code to the new e-mail, or a notice to its owner if it has an account: the response is the same.
     * @throws AppError 400: VALIDATION_FAILED, CURRENT_PASSWORD_WRONG; 403 DOMAIN_NOT_ALLOWED; 429 RESEND_LOCKED, RATE_LIMITED; 503
     */
    requestChange: async (
      caller: ConfirmingCaller,
      { newEmail: input, currentPassword }: Request,
      client: ClientContext,
    ): Promise<SentCode> => {
      const newEmail = input.toLowerCase();
      if (newEmail === caller.account.email) throw emailUnchanged();
      requireEligible(caller.account, newEmail);
      return await confirmIdentity(
        caller,
        { currentPassword },
        { requiresFactor: 'never' },
        client,
        (stores) => startChange(stores, caller, newEmail, client),
      );
    },

    /**
     * Returns the account with the new e-mail.
     * @throws AppError 400 CODE_INVALID, 403 DOMAIN_NOT_ALLOWED, 409 EMAIL_TAKEN, 429 RATE_LIMITED, 503
     */
    confirmChange: async (
      caller: ConfirmingCaller,
      attempt: CodeAttempt,
      context: MailContext,
    ): Promise<Account> => {
      const { kind, account } = caller;
      const { userId } = account;
      const pending = await pendingChanges.find(userId);
      if (!pending) throw codeInvalid();
      const { newEmail } = pending;
      requireEligible(account, newEmail);
      await consumeCode(kind, { userId, newEmail }, attempt);
      const formerEmail = await inTransaction((stores) => completeChange(stores, caller, pending, context));
      // The user has proved the new mailbox, and whoever gets the former address starts without failures.
      await Promise.all([newEmail, formerEmail].map(resetSignInLimit));
      return { ...account, email: newEmail, isEmailVerified: true };
    },
  };
};

export type EmailChangeService = ReturnType<typeof createEmailChangeService>;
