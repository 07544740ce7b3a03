import type { AppError } from '@platform/shared/errors/app-error';
import type { Language } from '@platform/shared/http/language';
import type { RequestContext } from '@platform/shared/http/request-context';
import { toClientSubnet } from '@platform/shared/network/client-address';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import { createCodeSender, type SentCode } from '@platform/shared/platform/codes/code-sender';
import {
  type CodeSubject,
  codeInvalid,
  createCodeMail,
  emailAlreadyVerified,
  toEmailChangeSubjects,
  toNewDeviceSubject,
  toVerificationSubject,
} from '@platform/shared/platform/codes/email-code';
import type { EmailCodeStore } from '@platform/shared/platform/codes/email-codes-store';
import type { Mail } from '@platform/shared/platform/mail/mail';
import type { AccountWithPassword } from '../accounts/account.ts';
import type { AccountState } from '../accounts/account-state.ts';
import type { ConfirmingCaller } from '../authentication/callers.ts';
import type { EndingService, EndingStores } from '../endings/endings-service.ts';
import { type Guess, toAddressGuess, toOwnGuess } from '../guess-limits/guess-limits.ts';
import type { GuessLimitService } from '../guess-limits/guess-limits-service.ts';
import type { Infrastructure, InTransaction } from '../infrastructure.ts';
import type { Kind } from '../kinds.ts';

type Dependencies = Pick<Infrastructure, 'mailQueue'> & {
  inTransaction: InTransaction<EndingStores & { audit: AuditLog }>;
  guessLimits: GuessLimitService;
  codes: EmailCodeStore;
  endings: EndingService;
};

export const createEmailCodeService = (dependencies: Dependencies) => {
  const { inTransaction, mailQueue, codes, guessLimits, endings } = dependencies;

  const send = createCodeSender({ codes, mailQueue });

  /** @throws AppError 400 CODE_INVALID, or what `toError` creates; 429 RATE_LIMITED */
  const verifyCode = (
    guess: Guess,
    subject: CodeSubject,
    code: string,
    toError: () => AppError = codeInvalid,
  ): Promise<void> =>
    guessLimits.limitGuesses(guess, async () => {
      const network = toClientSubnet(guess.device.context.address);
      const result = await codes.verifyAttempt(subject, code, network);
      if (result === 'not-compared') throw toError();
      return result === 'correct'
        ? { kind: 'correct', result: undefined }
        : { kind: 'wrong', error: toError() };
    });

  /**
   * Verifies a code of the signed-in user and makes it unusable. It proves an address that may be another
   * person's, so the device of the session is not exempt from a pause. Returns the session that requested it.
   */
  const consumeCode = async (
    caller: ConfirmingCaller,
    email: string,
    subject: CodeSubject,
    code: string,
  ): Promise<string | undefined> => {
    const device = { context: caller.context };
    await verifyCode({ ...toOwnGuess('code', caller), email, countsAtEmail: true, device }, subject, code);
    const consumed = await codes.consume(subject, code);
    if (!consumed) throw codeInvalid();
    return consumed.requestedBy;
  };

  return {
    verifyCode,

    /** An address without an account gets no mail, but the same work is done. @throws AppError 429, 503 */
    sendToAddress: (
      subject: CodeSubject,
      email: string,
      account: { userId: string; email: string; language: Language } | undefined,
      requestId: string,
    ): Promise<SentCode> => {
      const createMail = (code: string) => createCodeMail(subject, account?.email ?? email, account, code);
      return send({ subjects: [subject], isSignedIn: false, createMail }, requestId);
    },

    /**
     * If the address has an account (`ownersLanguage`), it gets a notice instead; the response and its time
     * are the same.
     * @throws AppError 429 RESEND_LOCKED, 503
     */
    sendEmailChangeCode: (
      { kind, account, context }: ConfirmingCaller,
      newEmail: string,
      { factorVersion }: AccountState,
      ownersLanguage: Language | undefined,
    ): Promise<SentCode> => {
      const subjects = toEmailChangeSubjects(kind, account.userId, newEmail);
      const [, byUser] = subjects;
      const createMail = (code: string): Mail =>
        ownersLanguage
          ? { template: 'email-change-taken', to: newEmail, language: ownersLanguage }
          : createCodeMail(byUser, newEmail, account, code);
      // The change ends with a new version of the account.
      const holder = { id: account.userId, factorVersion };
      return send({ subjects, isSignedIn: true, holder, createMail }, context.requestId);
    },

    /** The seconds until another code for the new address is possible. @throws AppError 503 */
    findEmailChangeLock: ({ kind, account }: ConfirmingCaller, newEmail: string): Promise<number> => {
      const [byAddress] = toEmailChangeSubjects(kind, account.userId, newEmail);
      return codes.findLockSeconds(byAddress);
    },

    /** @throws AppError 400 CODE_INVALID, 429 RATE_LIMITED, 503 */
    consumeEmailChangeCode: async (
      caller: ConfirmingCaller,
      newEmail: string,
      code: string,
    ): Promise<void> => {
      // The code of the other subject, the address, may be that of another user who requested the same
      // address later.
      const [, byUser] = toEmailChangeSubjects(caller.kind, caller.account.userId, newEmail);
      await consumeCode(caller, newEmail, byUser, code);
    },

    /** @throws AppError 429 RESEND_LOCKED, 503 */
    sendNewDeviceCode: (
      kind: Kind,
      account: AccountWithPassword,
      { requestId }: RequestContext,
    ): Promise<SentCode> => {
      const { userId, email, factorVersion } = account;
      const subject = toNewDeviceSubject(kind, userId, email);
      const createMail = (code: string) => createCodeMail(subject, email, account, code);
      // The waiting sign-in ends with a new version of the account.
      const holder = { id: userId, factorVersion };
      return send({ subjects: [subject], isSignedIn: true, holder, createMail }, requestId);
    },

    /** Uses the code up. @throws AppError what `toError` creates, 429 RATE_LIMITED, 503 */
    consumeNewDeviceCode: async (
      kind: Kind,
      account: AccountWithPassword,
      code: string,
      device: Guess['device'],
      toError: () => AppError,
    ): Promise<void> => {
      const subject = toNewDeviceSubject(kind, account.userId, account.email);
      await verifyCode(toAddressGuess(account, account.email, device), subject, code, toError);
      if (!(await codes.consume(subject, code))) throw toError();
    },

    /** @throws AppError 409 EMAIL_ALREADY_VERIFIED, 429 RESEND_LOCKED, 503 */
    sendVerificationCode: async ({
      kind,
      account,
      tokenId,
      context,
    }: ConfirmingCaller): Promise<SentCode> => {
      if (account.isEmailVerified) throw emailAlreadyVerified();
      const subject = toVerificationSubject(kind, account.userId, account.email);
      const createMail = (code: string) => createCodeMail(subject, account.email, account, code);
      const holder = { id: account.userId, isEmailVerified: false };
      const sending = { subjects: [subject], isSignedIn: true, tokenId, holder, createMail };
      return await send(sending, context.requestId);
    },

    /**
     * The session that requested this very code stays open: people sign up on one device, and read the mail on another.
     * @throws AppError 409 EMAIL_ALREADY_VERIFIED, 400 CODE_INVALID, 429 RATE_LIMITED, 503
     */
    verifyEmail: async (caller: ConfirmingCaller, code: string): Promise<void> => {
      const { kind, account } = caller;
      if (account.isEmailVerified) throw emailAlreadyVerified();
      const subject = toVerificationSubject(kind, account.userId, account.email);
      const requestedBy = await consumeCode(caller, account.email, subject, code);
      await inTransaction((stores) => endings.proveEmail(stores, { ...caller, requestedBy }));
    },
  };
};

export type EmailCodeService = ReturnType<typeof createEmailCodeService>;
