import { randomInt, randomUUID } from 'node:crypto';
import { toClientSubnet } from '@platform/shared/http/client-address';
import { type Language, toLanguage } from '@platform/shared/http/language';
import type { RequestContext } from '@platform/shared/http/request-context';
import type { CodeMail, Mail } from '@platform/shared/platform/mail/mail';
import { type Account, type ConfirmingCaller, toOwnGuess } from '../accounts/account.ts';
import type { AccountChanges } from '../accounts/account-changes-service.ts';
import type { AccountService } from '../accounts/accounts-service.ts';
import type { ValidatePassword } from '../accounts/password-policy.ts';
import type { PasswordService } from '../accounts/passwords-service.ts';
import type { Guess } from '../guess-limits/guess-limits.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Kind } from '../kinds.ts';
import {
  CODE_LIFETIME_SECONDS,
  type CodePurpose,
  type CodeSubject,
  codeInvalid,
  emailAlreadyVerified,
  RESEND_LOCK_SECONDS,
  resendLocked,
  toEmailChangeSubjects,
  toResetSubject,
  toVerificationSubject,
} from './email-code.ts';
import type { EmailCodeStore } from './email-codes-store.ts';

/** Creates a decoy for an address without an account, so that the request does the same work. */
const createCodeMail = (
  template: CodePurpose,
  to: string,
  account: Pick<Account, 'language'> | undefined,
  code: string,
): CodeMail => ({
  template,
  to,
  language: toLanguage(account?.language),
  code,
  expiresAt: new Date(Date.now() + CODE_LIFETIME_SECONDS * 1_000).toISOString(),
  isDecoy: !account,
});

/** `randomInt` is cryptographically secure. */
const generateCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');

type Dependencies = Pick<Infrastructure, 'inTransaction' | 'mailQueue' | 'hasher' | 'guessLimits'> & {
  codes: EmailCodeStore;
  accounts: AccountService;
  passwords: PasswordService;
  changes: AccountChanges;
  validatePassword: ValidatePassword;
};

type SentCode = { expiresIn: number; resendIn: number };
type PasswordReset = { email: string; code: string; newPassword: string };
type Sending = { subjects: CodeSubject[]; isSignedIn: boolean; createMail: (code: string) => Mail };

export const createEmailCodeService = (dependencies: Dependencies) => {
  const { inTransaction, mailQueue, hasher, codes, guessLimits } = dependencies;
  const { accounts, passwords, changes, validatePassword } = dependencies;

  /** Best effort: if Redis is unavailable, the locks expire. */
  const release = async (subjects: CodeSubject[], code: string): Promise<void> => {
    await Promise.allSettled(subjects.map((subject) => codes.release(subject, code)));
  };

  /** Reserves all subjects or none. @throws AppError 429 RESEND_LOCKED */
  const reserve = async ({ subjects, isSignedIn }: Sending, code: string): Promise<void> => {
    for (const [index, subject] of subjects.entries()) {
      const lockedSeconds = await codes.reserve(subject, code, isSignedIn);
      if (lockedSeconds === 0) continue;
      await release(subjects.slice(0, index), code);
      throw resendLocked(lockedSeconds);
    }
  };

  /** Does not use the outbox: if the mail cannot be queued, the request fails. */
  const send = async (sending: Sending, requestId: string): Promise<SentCode> => {
    const { subjects, createMail } = sending;
    const code = generateCode();
    await reserve(sending, code);
    try {
      await mailQueue.add(randomUUID(), { mail: createMail(code), requestId, inOutbox: false });
    } catch (error) {
      await release(subjects, code);
      throw error;
    }
    return { expiresIn: CODE_LIFETIME_SECONDS, resendIn: RESEND_LOCK_SECONDS };
  };

  /** @throws AppError 400 CODE_INVALID, 429 RATE_LIMITED */
  const verifyCode = (guess: Guess, subject: CodeSubject, code: string): Promise<void> =>
    guessLimits.limitGuesses(guess, async () => {
      const network = toClientSubnet(guess.device.context.address);
      const result = await codes.verifyAttempt(subject, code, network);
      if (result === 'not-compared') throw codeInvalid();
      return result === 'correct'
        ? { kind: 'correct', result: undefined }
        : { kind: 'wrong', error: codeInvalid() };
    });

  /**
   * Verifies a code of the signed-in user and makes it unusable. It proves an address that may be another
   * person's, so the device of the session is not exempt from a pause.
   */
  const consumeCode = async (
    caller: ConfirmingCaller,
    email: string,
    subject: CodeSubject,
    code: string,
  ): Promise<void> => {
    const device = { context: caller.context };
    await verifyCode({ ...toOwnGuess('code', caller), email, countsAtEmail: true, device }, subject, code);
    if (!(await codes.consume(subject, code))) throw codeInvalid();
  };

  return {
    /**
     * If the address has an account (`ownersLanguage`), it gets a notice instead; the response and its time
     * are the same.
     * @throws AppError 429 RESEND_LOCKED, 503
     */
    sendEmailChangeCode: (
      { kind, account, context }: ConfirmingCaller,
      newEmail: string,
      ownersLanguage: Language | undefined,
    ): Promise<SentCode> => {
      const createMail = (code: string): Mail =>
        ownersLanguage
          ? { template: 'email-change-taken', to: newEmail, language: ownersLanguage }
          : createCodeMail('email-change-code', newEmail, account, code);
      const subjects = toEmailChangeSubjects(kind, account.userId, newEmail);
      return send({ subjects, isSignedIn: true, createMail }, context.requestId);
    },

    /** @throws AppError 400 CODE_INVALID, 429 RATE_LIMITED, 503 */
    consumeEmailChangeCode: (caller: ConfirmingCaller, newEmail: string, code: string): Promise<void> => {
      // The code of the other subject, the address, may be that of another user who requested the same
      // address later.
      const [, byUser] = toEmailChangeSubjects(caller.kind, caller.account.userId, newEmail);
      return consumeCode(caller, newEmail, byUser, code);
    },

    /** @throws AppError 409 EMAIL_ALREADY_VERIFIED, 429 RESEND_LOCKED, 503 */
    sendVerificationCode: async ({ kind, account, context }: ConfirmingCaller): Promise<SentCode> => {
      if (account.isEmailVerified) throw emailAlreadyVerified();
      const subject = toVerificationSubject(kind, account.userId, account.email);
      const createMail = (code: string) => createCodeMail(subject.purpose, account.email, account, code);
      return await send({ subjects: [subject], isSignedIn: true, createMail }, context.requestId);
    },

    /** @throws AppError 409 EMAIL_ALREADY_VERIFIED, 400 CODE_INVALID, 429 RATE_LIMITED, 503 */
    verifyEmail: async (caller: ConfirmingCaller, code: string): Promise<void> => {
      const { kind, account } = caller;
      if (account.isEmailVerified) throw emailAlreadyVerified();
      const subject = toVerificationSubject(kind, account.userId, account.email);
      await consumeCode(caller, account.email, subject, code);
      await inTransaction((stores) => changes.proveEmail(stores, caller));
    },

    /**
     * An unknown e-mail gets the same response, response time and lock. @throws AppError 429 RESEND_LOCKED,
     * 503
     */
    sendResetCode: async (kind: Kind, email: string, { requestId }: RequestContext): Promise<SentCode> => {
      const subject = toResetSubject(kind, email);
      const account = await accounts.findEligible(kind, email);
      const createMail = (code: string) =>
        createCodeMail(subject.purpose, account?.email ?? email, account, code);
      return await send({ subjects: [subject], isSignedIn: false, createMail }, requestId);
    },

    /**
     * Responds in the same way for an unknown e-mail. @throws AppError 400 CODE_INVALID, VALIDATION_FAILED;
     * 429 RATE_LIMITED, 503
     */
    resetPassword: async (
      kind: Kind,
      { email: input, code, newPassword }: PasswordReset,
      fingerprint: string | undefined,
      context: RequestContext,
    ): Promise<void> => {
      const email = input.toLowerCase();
      const subject = toResetSubject(kind, email);
      const account = await accounts.findEligible(kind, email);
      // See consumeCode.
      const device = { fingerprint: account?.isEmailVerified ? fingerprint : undefined, context };
      // Verify the code first: the password is then looked up in another provider's API, whose quota
      // anonymous requests must not use up.
      const countsAtEmail = !account?.isEmailVerified;
      await verifyCode({ secret: 'code', account, email, countsAtEmail, device }, subject, code);
      await validatePassword(newPassword, email, 'newPassword');
      // Hash before the code is consumed, so that a full hashing queue does not cost the user the code.
      const passwordHash = await hasher.hash(newPassword);
      if (!(await codes.consume(subject, code)) || !account) throw codeInvalid();
      if (!(await passwords.resetPassword(kind, account, passwordHash, context))) throw codeInvalid();
      await guessLimits.clearFailures({ secret: 'password', account, email, device });
    },
  };
};

export type EmailCodeService = ReturnType<typeof createEmailCodeService>;
