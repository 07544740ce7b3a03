import { randomInt, randomUUID } from 'node:crypto';
import type { RequestContext } from '@platform/shared/audit/audit-log';
import type { CodeCipher } from '@platform/shared/mail/code-encryption';
import type { Language, Mail } from '@platform/shared/mail/mail';
import type { MailQueue } from '@platform/shared/mail/mail-queue';
import type { PasswordHasher } from '@platform/shared/passwords/password-hasher';
import type { Account, AccountWithPassword } from '../accounts/account.ts';
import type { ValidatePassword } from '../accounts/password-policy.ts';
import type { Kind } from '../kinds.ts';
import {
  CODE_LIFETIME_SECONDS,
  type CodeAttempt,
  type CodePurpose,
  type CodeSubject,
  codeInvalid,
  emailAlreadyVerified,
  RESEND_LOCK_SECONDS,
  resendLocked,
  tooManyWrongCodes,
  toResetSubject,
  toVerificationSubject,
} from './email-code.ts';
import type { EmailCodeStore } from './email-codes-store.ts';

/** `randomInt` is a CSPRNG. */
const generateCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

type Dependencies = {
  codes: EmailCodeStore;
  mailQueue: MailQueue;
  cipher: CodeCipher;
  findAccount: (kind: Kind, email: string) => Promise<AccountWithPassword | undefined>;
  markEmailVerified: (kind: Kind, userId: string, context: RequestContext) => Promise<void>;
  hasher: PasswordHasher;
  validatePassword: ValidatePassword;
  resetPassword: (
    kind: Kind,
    account: Account,
    change: { passwordHash: string; language: Language },
    context: RequestContext,
  ) => Promise<void>;
};

type MailContext = { requestId: string; language: Language };
type SentCode = { expiresIn: number; resendIn: number };
type PasswordReset = CodeAttempt & { email: string; newPassword: string; language: Language };

export const createEmailCodeService = (dependencies: Dependencies) => {
  const { codes, mailQueue, cipher, findAccount, markEmailVerified, hasher } = dependencies;
  const { resetPassword, validatePassword } = dependencies;

  /**
   * Not through the outbox: if the code cannot be queued, the request fails. Without a recipient, a decoy is queued, so that
   * the response takes the same time.
   */
  const queueMail = async (
    template: CodePurpose,
    to: string | undefined,
    code: string,
    { requestId, language }: MailContext,
  ): Promise<void> => {
    const expiresAt = new Date(Date.now() + CODE_LIFETIME_SECONDS * 1_000).toISOString();
    const mail: Mail = to
      ? { template, to, language, sealedCode: cipher.encrypt(code), expiresAt }
      : { template: 'decoy' };
    await mailQueue.add(randomUUID(), { mail, requestId, inOutbox: false });
  };

  const send = async (
    subject: CodeSubject,
    to: string | undefined,
    context: MailContext,
  ): Promise<SentCode> => {
    const code = generateCode();
    const lockedSeconds = await codes.reserve(subject, code);
    if (lockedSeconds > 0) throw resendLocked(lockedSeconds);
    try {
      await queueMail(subject.purpose, to, code, context);
    } catch (error) {
      // Best effort: without Redis, the provisional lock expires.
      await codes.release(subject, code).catch(() => undefined);
      throw error;
    }
    await codes.confirm(subject);
    return { expiresIn: CODE_LIFETIME_SECONDS, resendIn: RESEND_LOCK_SECONDS };
  };

  const verifyAttempt = async (subject: CodeSubject, attempt: CodeAttempt): Promise<void> => {
    const { isCorrect, lockedSeconds } = await codes.verifyAttempt(subject, attempt);
    if (lockedSeconds > 0) throw tooManyWrongCodes(lockedSeconds);
    if (!isCorrect) throw codeInvalid();
  };

  return {
    /** @throws AppError 409 EMAIL_ALREADY_VERIFIED, 429 RESEND_LOCKED, 503 */
    sendVerificationCode: async (kind: Kind, account: Account, context: MailContext): Promise<SentCode> => {
      if (account.isEmailVerified) throw emailAlreadyVerified();
      return await send(toVerificationSubject(kind, account.userId, account.email), account.email, context);
    },

    /** @throws AppError 409 EMAIL_ALREADY_VERIFIED, 400 CODE_INVALID, 429 RATE_LIMITED, 503 */
    verifyEmail: async (
      kind: Kind,
      account: Account,
      attempt: CodeAttempt,
      context: RequestContext,
    ): Promise<void> => {
      if (account.isEmailVerified) throw emailAlreadyVerified();
      const subject = toVerificationSubject(kind, account.userId, account.email);
      await verifyAttempt(subject, attempt);
      if (!(await codes.consume(subject, attempt.code))) throw codeInvalid();
      await markEmailVerified(kind, account.userId, context);
    },

    /** An unknown e-mail has the same response, response time and lock. @throws AppError 429 RESEND_LOCKED, 503 */
    sendResetCode: async (kind: Kind, email: string, context: MailContext): Promise<SentCode> => {
      const subject = toResetSubject(kind, email);
      const account = await findAccount(kind, email);
      return await send(subject, account?.email, context);
    },

    /** @throws AppError 400 CODE_INVALID, 429 RATE_LIMITED, 503; the same for an unknown e-mail */
    resetPassword: async (
      kind: Kind,
      { email, newPassword, language, ...attempt }: PasswordReset,
      context: RequestContext,
    ): Promise<void> => {
      validatePassword(newPassword, email.toLowerCase(), 'newPassword');
      const subject = toResetSubject(kind, email);
      await verifyAttempt(subject, attempt);
      // Before the code is consumed, so that a full hashing queue does not cost the user the code.
      const passwordHash = await hasher.hash(newPassword);
      const account = await findAccount(kind, email);
      if (!(await codes.consume(subject, attempt.code)) || !account) throw codeInvalid();
      await resetPassword(kind, account, { passwordHash, language }, context);
    },
  };
};

export type EmailCodeService = ReturnType<typeof createEmailCodeService>;
