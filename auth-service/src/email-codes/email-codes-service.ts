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
  toEmailChangeSubjects,
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
  ) => Promise<boolean>;
};

type MailContext = { requestId: string; language: Language };
type SentCode = { expiresIn: number; resendIn: number };
type EmailChange = { userId: string; newEmail: string; isTaken: boolean };
type PasswordReset = CodeAttempt & { email: string; newPassword: string; language: Language };

export const createEmailCodeService = (dependencies: Dependencies) => {
  const { codes, mailQueue, cipher, findAccount, markEmailVerified, hasher } = dependencies;
  const { resetPassword, validatePassword } = dependencies;

  /** Without a recipient a decoy, so that the response takes the same time. */
  const createCodeMail = (
    template: CodePurpose,
    to: string | undefined,
    language: Language,
    code: string,
  ): Mail => {
    const expiresAt = new Date(Date.now() + CODE_LIFETIME_SECONDS * 1_000).toISOString();
    return to
      ? { template, to, language, sealedCode: cipher.encrypt(code), expiresAt }
      : { template: 'decoy' };
  };

  /** Best effort: without Redis, the provisional locks expire. */
  const release = async (subjects: CodeSubject[], code: string): Promise<void> => {
    await Promise.allSettled(subjects.map((subject) => codes.release(subject, code)));
  };

  /** For all subjects or none. @throws AppError 429 RESEND_LOCKED */
  const reserve = async (subjects: CodeSubject[], code: string): Promise<void> => {
    for (const [index, subject] of subjects.entries()) {
      const lockedSeconds = await codes.reserve(subject, code);
      if (lockedSeconds === 0) continue;
      await release(subjects.slice(0, index), code);
      throw resendLocked(lockedSeconds);
    }
  };

  /** Not through the outbox: if the mail cannot be queued, the request fails. */
  const send = async (
    subjects: CodeSubject[],
    createMail: (code: string) => Mail,
    requestId: string,
  ): Promise<SentCode> => {
    const code = generateCode();
    await reserve(subjects, code);
    try {
      await mailQueue.add(randomUUID(), { mail: createMail(code), requestId, inOutbox: false });
    } catch (error) {
      await release(subjects, code);
      throw error;
    }
    for (const subject of subjects) await codes.confirm(subject);
    return { expiresIn: CODE_LIFETIME_SECONDS, resendIn: RESEND_LOCK_SECONDS };
  };

  const sendCode = (
    subject: CodeSubject,
    to: string | undefined,
    { requestId, language }: MailContext,
  ): Promise<SentCode> =>
    send([subject], (code) => createCodeMail(subject.purpose, to, language, code), requestId);

  const verifyAttempt = async (subject: CodeSubject, attempt: CodeAttempt): Promise<void> => {
    const { isCorrect, lockedSeconds } = await codes.verifyAttempt(subject, attempt);
    if (lockedSeconds > 0) throw tooManyWrongCodes(lockedSeconds);
    if (!isCorrect) throw codeInvalid();
  };

  return {
    /** An address that has an account gets a notice, with the same response and response time. @throws AppError 429 RESEND_LOCKED, 503 */
    sendEmailChangeCode: (
      kind: Kind,
      { userId, newEmail, isTaken }: EmailChange,
      { requestId, language }: MailContext,
    ): Promise<SentCode> => {
      const createMail = (code: string): Mail => {
        const mail = createCodeMail('email-change-code', newEmail, language, code);
        return isTaken ? { template: 'email-change-taken', to: newEmail, language } : mail;
      };
      return send(toEmailChangeSubjects(kind, userId, newEmail), createMail, requestId);
    },

    /** @throws AppError 400 CODE_INVALID, 429 RATE_LIMITED, 503 */
    consumeEmailChangeCode: async (
      kind: Kind,
      { userId, newEmail }: Omit<EmailChange, 'isTaken'>,
      attempt: CodeAttempt,
    ): Promise<void> => {
      const [byAddress, byUser] = toEmailChangeSubjects(kind, userId, newEmail);
      // Counts only: the address's code may be that of another user who requested the same address later.
      const { lockedSeconds } = await codes.verifyAttempt(byAddress, attempt);
      if (lockedSeconds > 0) throw tooManyWrongCodes(lockedSeconds);
      await verifyAttempt(byUser, attempt);
      if (!(await codes.consume(byUser, attempt.code))) throw codeInvalid();
    },

    /** @throws AppError 409 EMAIL_ALREADY_VERIFIED, 429 RESEND_LOCKED, 503 */
    sendVerificationCode: async (kind: Kind, account: Account, context: MailContext): Promise<SentCode> => {
      if (account.isEmailVerified) throw emailAlreadyVerified();
      return await sendCode(
        toVerificationSubject(kind, account.userId, account.email),
        account.email,
        context,
      );
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
      return await sendCode(subject, account?.email, context);
    },

    /** @throws AppError 400 CODE_INVALID, 429 RATE_LIMITED, 503; the same for an unknown e-mail */
    resetPassword: async (
      kind: Kind,
      { email, newPassword, language, ...attempt }: PasswordReset,
      context: RequestContext,
    ): Promise<void> => {
      await validatePassword(newPassword, email.toLowerCase(), 'newPassword');
      const subject = toResetSubject(kind, email);
      await verifyAttempt(subject, attempt);
      // Before the code is consumed, so that a full hashing queue does not cost the user the code.
      const passwordHash = await hasher.hash(newPassword);
      const account = await findAccount(kind, email);
      if (!(await codes.consume(subject, attempt.code)) || !account) throw codeInvalid();
      if (!(await resetPassword(kind, account, { passwordHash, language }, context))) throw codeInvalid();
    },
  };
};

export type EmailCodeService = ReturnType<typeof createEmailCodeService>;
