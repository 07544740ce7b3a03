import { randomInt } from 'node:crypto';
import type { RequestContext } from '@platform/shared/audit/audit-log';
import type { Account, AccountWithPassword } from '../accounts/account.ts';
import type { PasswordPolicy } from '../accounts/password-policy.ts';
import type { Kind } from '../kinds.ts';
import {
  CODE_LIFETIME_SECONDS,
  type CodeGuess,
  type CodeMail,
  type CodeSubject,
  codeInvalid,
  emailAlreadyVerified,
  RESEND_LOCK_SECONDS,
  resendLocked,
  tooManyWrongCodes,
  toReset,
  toVerify,
} from './email-code.ts';
import type { EmailCodeStore } from './email-codes-store.ts';

/** From a CSPRNG. */
const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

type Dependencies = {
  codes: EmailCodeStore;
  /** Without a mail it takes the time of one that queues it. */
  queueMail: (mail: CodeMail | undefined, requestId: string) => Promise<void>;
  findAccount: (kind: Kind, email: string) => Promise<AccountWithPassword | undefined>;
  markEmailVerified: (kind: Kind, userId: string, origin: RequestContext) => Promise<void>;
  hashPassword: (password: string) => Promise<string>;
  requireGoodPassword: PasswordPolicy;
  resetPassword: (
    kind: Kind,
    account: Account,
    passwordHash: string,
    origin: RequestContext,
  ) => Promise<void>;
};

type Sent = { expiresIn: number; resendIn: number };
type Reset = CodeGuess & { email: string; newPassword: string };

export const createEmailCodeService = (dependencies: Dependencies) => {
  const {
    codes,
    queueMail,
    findAccount,
    markEmailVerified,
    hashPassword,
    resetPassword,
    requireGoodPassword,
  } = dependencies;

  const send = async (subject: CodeSubject, to: string | undefined, requestId: string): Promise<Sent> => {
    const code = newCode();
    const lockedSeconds = await codes.reserve(subject, code);
    if (lockedSeconds > 0) throw resendLocked(lockedSeconds);
    try {
      const mail = to && { template: subject.purpose, to, code, lifetimeSeconds: CODE_LIFETIME_SECONDS };
      await queueMail(mail || undefined, requestId);
    } catch (error) {
      // Best effort: if Redis is away the provisional lock ends by itself.
      await codes.release(subject, code).catch(() => undefined);
      throw error;
    }
    await codes.confirm(subject);
    return { expiresIn: CODE_LIFETIME_SECONDS, resendIn: RESEND_LOCK_SECONDS };
  };

  const requireRight = async (subject: CodeSubject, guess: CodeGuess): Promise<void> => {
    const { isRight, lockedSeconds } = await codes.attempt(subject, guess);
    if (lockedSeconds > 0) throw tooManyWrongCodes(lockedSeconds);
    if (!isRight) throw codeInvalid();
  };

  return {
    /** @throws AppError 409 EMAIL_ALREADY_VERIFIED, 429 RESEND_LOCKED, 503 */
    sendVerificationCode: async (kind: Kind, account: Account, requestId: string): Promise<Sent> => {
      if (account.isEmailVerified) throw emailAlreadyVerified();
      return await send(toVerify(kind, account.userId, account.email), account.email, requestId);
    },

    /** @throws AppError 409 EMAIL_ALREADY_VERIFIED, 400 CODE_INVALID, 429 RATE_LIMITED, 503 */
    verifyEmail: async (
      kind: Kind,
      account: Account,
      guess: CodeGuess,
      origin: RequestContext,
    ): Promise<void> => {
      if (account.isEmailVerified) throw emailAlreadyVerified();
      const subject = toVerify(kind, account.userId, account.email);
      await requireRight(subject, guess);
      if (!(await codes.consume(subject, guess.code))) throw codeInvalid();
      await markEmailVerified(kind, account.userId, origin);
    },

    /** The same for a known and an unknown e-mail, in answer, time and lock. @throws AppError 429 RESEND_LOCKED, 503 */
    sendResetCode: async (kind: Kind, email: string, requestId: string): Promise<Sent> => {
      const subject = toReset(kind, email);
      const account = await findAccount(kind, email);
      return await send(subject, account?.email, requestId);
    },

    /** @throws AppError 400 CODE_INVALID, 429 RATE_LIMITED, 503; for an unknown e-mail too */
    resetPassword: async (
      kind: Kind,
      { email, newPassword, ...guess }: Reset,
      origin: RequestContext,
    ): Promise<void> => {
      requireGoodPassword(newPassword, email.toLowerCase(), 'newPassword');
      const subject = toReset(kind, email);
      await requireRight(subject, guess);
      // Before the code is used up: a full hashing queue must not cost the user the code.
      const passwordHash = await hashPassword(newPassword);
      const account = await findAccount(kind, email);
      if (!(await codes.consume(subject, guess.code)) || !account) throw codeInvalid();
      await resetPassword(kind, account, passwordHash, origin);
    },
  };
};

export type EmailCodeService = ReturnType<typeof createEmailCodeService>;
