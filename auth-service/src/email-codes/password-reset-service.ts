import type { RequestContext } from '@platform/shared/http/request-context';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import { codeInvalid, toAddressSubject } from '@platform/shared/platform/codes/email-code';
import { normaliseEmail, toPasswordChangedMail } from '../accounts/account.ts';
import { toAccountAudit, toEndedDetails } from '../accounts/account-audit.ts';
import type { AccountService } from '../accounts/accounts-service.ts';
import type { Account } from '../authentication/callers.ts';
import type { EndingService, EndingStores } from '../endings/endings-service.ts';
import type { CodeTryStore } from '../guess-limits/code-tries-store.ts';
import { toAddressGuess } from '../guess-limits/guess-limits.ts';
import type { GuessLimitService } from '../guess-limits/guess-limits-service.ts';
import type { InTransaction } from '../infrastructure.ts';
import type { Kind } from '../kinds.ts';
import type { PasswordHasher } from '../passwords/password-hasher-adapter.ts';
import { samePassword, type ValidatePassword } from '../passwords/password-policy.ts';
import type { RequestingDevice } from '../sessions/session.ts';
import type { EmailCodeService } from './email-codes-service.ts';
import type { ResetDeviceStore } from './reset-devices-store.ts';

type Dependencies = {
  config: { newDeviceCode: boolean };
  inTransaction: InTransaction<EndingStores & { audit: AuditLog }>;
  hasher: PasswordHasher;
  guessLimits: GuessLimitService;
  accounts: AccountService;
  validatePassword: ValidatePassword;
  endings: EndingService;
  codeTries: CodeTryStore;
  emailCodes: EmailCodeService;
  resetDevices: ResetDeviceStore;
};

type PasswordReset = { email: string; code: string; newPassword: string };

/** Resets a password by a code. An unknown e-mail gets the same response in the same time. */
export const createPasswordResetService = (dependencies: Dependencies) => {
  const { config, inTransaction, hasher, guessLimits, accounts } = dependencies;
  const { validatePassword, endings, codeTries, emailCodes, resetDevices } = dependencies;

  /**
   * Also proves the e-mail, because the code was mailed to it. Returns the new version of the account;
   * undefined if it was deleted or its e-mail changed in the meantime.
   */
  const replacePassword = (
    kind: Kind,
    account: Account,
    passwordHash: string,
    context: RequestContext,
  ): Promise<number | undefined> =>
    inTransaction(async (stores) => {
      const { userId } = account;
      const user = await stores.accounts.lock(userId);
      if (user?.email !== account.email) return undefined;
      await stores.accounts.setPassword(userId, passwordHash);
      const { endedSessions } = await endings.proveEmail(stores, { kind, account, context });
      const notice = toPasswordChangedMail({ ...account, isEmailVerified: true });
      await stores.outbox.add(notice, context.requestId, userId);
      const details = toEndedDetails(endedSessions);
      await stores.audit.add(toAccountAudit('PASSWORD_RESET', { kind, userId }, context, details));
      return (await stores.accounts.lock(userId))?.factorVersion;
    });

  /** Best effort: the password is set, and without Redis the sign-in asks for another code. */
  const rememberDevice = async (userId: string, factorVersion: number, fingerprint: string | undefined) => {
    if (!config.newDeviceCode || fingerprint === undefined) return;
    await resetDevices.add({ userId, factorVersion }, fingerprint).catch(() => undefined);
  };

  return {
    /** An unknown e-mail gets the same lock, too. @throws AppError 429 RESEND_LOCKED, 503 */
    sendResetCode: async (kind: Kind, input: string, device: RequestingDevice) => {
      const email = normaliseEmail(input);
      const subject = toAddressSubject(kind, 'reset-password-code', email);
      const account = await accounts.findEligible(kind, email);
      return await emailCodes.sendToAddress(subject, email, account, device);
    },

    /** @throws AppError 400 CODE_INVALID, VALIDATION_FAILED; 429 RATE_LIMITED, 503 */
    resetPassword: async (
      kind: Kind,
      { email: input, code, newPassword }: PasswordReset,
      fingerprint: string | undefined,
      context: RequestContext,
    ): Promise<void> => {
      const email = normaliseEmail(input);
      const subject = toAddressSubject(kind, 'reset-password-code', email);
      const account = await accounts.findEligible(kind, email);
      const guessed = await accounts.findGuessed(email);
      // Verify the code first: the password is then looked up in another provider's API, whose quota
      // anonymous requests must not use up.
      const guess = toAddressGuess(account ?? guessed, email, { fingerprint, context });
      await guessLimits.verifyCode(guess, subject, code);
      await validatePassword(newPassword, email, 'newPassword');
      const requester = await guessLimits.toRequester(guess);
      const current = account?.passwordHash;
      if (current && (await hasher.compare(newPassword, current, requester))) throw samePassword();
      // Hash before the code is consumed, so that a full hashing queue does not cost the user the code.
      const passwordHash = await hasher.hash(newPassword, requester);
      const isAccepted = account?.isBlocked === false;
      if (!(await codeTries.consume(subject, code, isAccepted)) || !account) throw codeInvalid();
      const version = await replacePassword(kind, account, passwordHash, context);
      if (version === undefined) throw codeInvalid();
      await rememberDevice(account.userId, version, fingerprint);
      await guessLimits.clearFailures({ ...guess, secret: 'password', countsAtEmail: false });
    },
  };
};

export type PasswordResetService = ReturnType<typeof createPasswordResetService>;
