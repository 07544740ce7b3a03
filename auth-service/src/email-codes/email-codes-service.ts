import { secondFactorInvalid } from '@platform/shared/errors/app-error';
import type { Language } from '@platform/shared/http/language';
import type { RequestContext } from '@platform/shared/http/request-context';
import { toClientSubnet } from '@platform/shared/network/client-address';
import { parseWebUrl } from '@platform/shared/network/web-url';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import { createCodeSender, type SentCode } from '@platform/shared/platform/codes/code-sender';
import {
  type CodeSubject,
  createCodeMail,
  emailAlreadyVerified,
  toEmailChangeSubjects,
  toNewDeviceSubject,
  toVerificationSubject,
} from '@platform/shared/platform/codes/email-code';
import type { EmailCodeStore } from '@platform/shared/platform/codes/email-codes-store';
import type { CodeRequest, Mail } from '@platform/shared/platform/mail/mail';
import type { AccountWithPassword } from '../accounts/account.ts';
import type { AccountState } from '../accounts/account-state.ts';
import type { Account, ConfirmingCaller } from '../authentication/callers.ts';
import type { EndingService, EndingStores } from '../endings/endings-service.ts';
import type { CodeTryStore } from '../guess-limits/code-tries-store.ts';
import { toOwnGuess } from '../guess-limits/guess-limits.ts';
import type { GuessLimitService } from '../guess-limits/guess-limits-service.ts';
import type { Infrastructure, InTransaction } from '../infrastructure.ts';
import type { Kind } from '../kinds.ts';
import type { RequestingDevice } from '../sessions/session.ts';
import type { NotifyWrongKind } from './wrong-kind-service.ts';

const MAX_RETURN_LENGTH = 2_048;

type Dependencies = Pick<Infrastructure, 'mailQueue'> & {
  config: { returnOrigins: readonly string[] };
  inTransaction: InTransaction<EndingStores & { audit: AuditLog }>;
  guessLimits: GuessLimitService;
  codeTries: CodeTryStore;
  codes: EmailCodeStore;
  endings: EndingService;
  notifyWrongKind: NotifyWrongKind;
};

export const createEmailCodeService = (dependencies: Dependencies) => {
  const { config, inTransaction, mailQueue, codes, codeTries, guessLimits } = dependencies;
  const { endings, notifyWrongKind } = dependencies;

  const send = createCodeSender({ codes, mailQueue });

  const toCreateMail =
    (subject: CodeSubject, to: string, account: Account | undefined, request: CodeRequest) =>
    (code: string) =>
      createCodeMail(subject, to, account, code, request);

  /** Null for anything but an address of a listed origin. The page of the code checks it again. */
  const toReturnAddress = (input: string | undefined): string | null => {
    if (input === undefined || input.length > MAX_RETURN_LENGTH) return null;
    const url = parseWebUrl(input);
    return url && config.returnOrigins.includes(url.origin) ? url.href : null;
  };

  /**
   * Verifies a code of the signed-in user and makes it unusable. It proves an address that may be another
   * person's, so the device of the session is not exempt from a pause. Returns the session that requested it.
   */
  const useOwnCode = (
    caller: ConfirmingCaller,
    email: string,
    subject: CodeSubject,
    code: string,
  ): Promise<string | undefined> => {
    const device = { context: caller.context };
    const guess = { ...toOwnGuess('code', caller), email, countsAtEmail: true, device };
    return guessLimits.useCode(guess, subject, code, true);
  };

  return {
    /** An address without an account gets no mail, but the same work is done. @throws AppError 429, 503 */
    sendToAddress: async (
      subject: CodeSubject,
      email: string,
      account: Account | undefined,
      device: RequestingDevice,
    ): Promise<SentCode> => {
      const { userAgent, context } = device;
      const createMail = toCreateMail(subject, account?.email ?? email, account, { userAgent });
      // An unverified address may be another person's, so that its limits hold for all devices.
      const owner = account?.isEmailVerified ? account : undefined;
      const isKnownDevice = () => guessLimits.isKnownDevice({ account: owner, device });
      const sending = { subjects: [subject], needsFreeMemory: true, createMail, isKnownDevice };
      const sent = await send(sending, context.requestId);
      if (!account) notifyWrongKind(email, context.requestId);
      return sent;
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
      userAgent: string | null,
    ): Promise<SentCode> => {
      const subjects = toEmailChangeSubjects(kind, account.userId, newEmail);
      const [, byUser] = subjects;
      const createMail = ownersLanguage
        ? (): Mail => ({ template: 'email-change-taken', to: newEmail, language: ownersLanguage })
        : toCreateMail(byUser, newEmail, account, { userAgent });
      // The change ends with a new version of the account.
      const holder = { id: account.userId, factorVersion };
      return send({ subjects, needsFreeMemory: false, holder, createMail }, context.requestId);
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
      await useOwnCode(caller, newEmail, byUser, code);
    },

    /** @throws AppError 429 RESEND_LOCKED, 503 */
    sendNewDeviceCode: (
      kind: Kind,
      account: AccountWithPassword,
      { userAgent, context }: RequestingDevice,
    ): Promise<SentCode> => {
      const { userId, email, factorVersion } = account;
      const subject = toNewDeviceSubject(kind, userId, email);
      const createMail = toCreateMail(subject, email, account, { userAgent });
      // The waiting sign-in ends with a new version of the account.
      const holder = { id: userId, factorVersion };
      return send({ subjects: [subject], needsFreeMemory: false, holder, createMail }, context.requestId);
    },

    /**
     * Returns false if the code is wrong, and otherwise uses it up. The caller limits the guesses.
     * @throws AppError 401 SECOND_FACTOR_INVALID if there is no code to compare with; 503
     */
    consumeNewDeviceCode: async (
      kind: Kind,
      { userId, email }: Account,
      code: string,
      { address }: RequestContext,
    ): Promise<boolean> => {
      const subject = toNewDeviceSubject(kind, userId, email);
      const result = await codeTries.attempt(subject, code, toClientSubnet(address));
      if (result === 'wrong') return false;
      const isUsed = result === 'correct' && (await codeTries.consume(subject, code, true));
      if (!isUsed) throw secondFactorInvalid();
      return true;
    },

    /** @throws AppError 409 EMAIL_ALREADY_VERIFIED, 429 RESEND_LOCKED, 503 */
    sendVerificationCode: async (
      { kind, account, tokenId, context }: ConfirmingCaller,
      userAgent: string | null,
      returnTo: string | undefined,
    ): Promise<SentCode> => {
      if (account.isEmailVerified) throw emailAlreadyVerified();
      const subject = toVerificationSubject(kind, account.userId, account.email);
      const request = { userAgent, returnTo: toReturnAddress(returnTo) };
      const createMail = toCreateMail(subject, account.email, account, request);
      const holder = { id: account.userId, isEmailVerified: false };
      const sending = { subjects: [subject], needsFreeMemory: false, tokenId, holder, createMail };
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
      const requestedBy = await useOwnCode(caller, account.email, subject, code);
      await inTransaction((stores) => endings.proveEmail(stores, { ...caller, requestedBy }));
    },
  };
};

export type EmailCodeService = ReturnType<typeof createEmailCodeService>;
