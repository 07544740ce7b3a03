import { conflict } from '@platform/shared/errors/app-error';
import { type ByAdministrator, toAuditRecord } from '@platform/shared/platform/access/by';
import type { LockedAccount } from '@platform/shared/platform/accounts/account';
import { createChangeUser } from '@platform/shared/platform/accounts/administrator-transaction';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { SendCode, SentCode } from '@platform/shared/platform/codes/code-sender';
import {
  type CodeSubject,
  createCodeMail,
  emailAlreadyVerified,
  toAddressSubject,
  toVerificationSubject,
} from '@platform/shared/platform/codes/email-code';
import type { AsAdministrator } from '../infrastructure.ts';

/** The first kind of the two whose sign-in page sends mails. @throws AppError 409 KIND_MISSING */
const requireProfileKind = ({ roles }: Pick<LockedAccount, 'roles'>): 'customer' | 'employee' => {
  if (roles.includes('CUSTOMER')) return 'customer';
  if (roles.includes('EMPLOYEE')) return 'employee';
  throw conflict('KIND_MISSING', 'The user is neither a customer nor an employee');
};

export type UserMailStores = { audit: AuditLog };

type Dependencies = {
  asAdministrator: AsAdministrator<UserMailStores>;
  openCodeMails: () => Promise<{ ready: () => Promise<void>; send: SendCode }>;
};

/** The mails that somebody gets from the sign-in page, with the same limits. */
export const createUserMailService = ({ asAdministrator, openCodeMails }: Dependencies) => {
  const changeUser = createChangeUser(asAdministrator);

  /** The mail comes last: it cannot be taken back if the record cannot be written. */
  const send = async (
    id: string,
    by: ByAdministrator,
    action: 'RESET_MAIL_SENT' | 'VERIFICATION_MAIL_SENT',
    toSending: (user: LockedAccount) => Parameters<SendCode>[0],
  ): Promise<SentCode> => {
    const codeMails = await openCodeMails();
    // No user is locked while this waits for Redis.
    await codeMails.ready();
    return await changeUser(id, by, async ({ audit }, user) => {
      const sending = toSending(user);
      await audit.add(toAuditRecord(by, action, { targetType: 'USER', targetId: user.id }));
      return await codeMails.send(sending, by.context.requestId);
    });
  };

  const toCreateMail =
    (subject: CodeSubject, { id: userId, email, language, timeZone }: LockedAccount) =>
    (code: string) =>
      createCodeMail(subject, email, { userId, language, timeZone }, code, { byAdministrator: true });

  return {
    /** @throws AppError 404, 409 KIND_MISSING, 429 RESEND_LOCKED, 503 */
    sendResetMail: (id: string, by: ByAdministrator): Promise<SentCode> =>
      send(id, by, 'RESET_MAIL_SENT', (user) => {
        const subject = toAddressSubject(requireProfileKind(user), 'reset-password-code', user.email);
        return { subjects: [subject], needsFreeMemory: false, createMail: toCreateMail(subject, user) };
      }),

    /** @throws AppError 404, 409 KIND_MISSING, EMAIL_ALREADY_VERIFIED, 429 RESEND_LOCKED, 503 */
    sendVerificationMail: (id: string, by: ByAdministrator): Promise<SentCode> =>
      send(id, by, 'VERIFICATION_MAIL_SENT', (user) => {
        const subject = toVerificationSubject(requireProfileKind(user), user.id, user.email);
        if (user.isEmailVerified) throw emailAlreadyVerified();
        const holder = { id: user.id, isEmailVerified: false };
        const createMail = toCreateMail(subject, user);
        return { subjects: [subject], needsFreeMemory: false, holder, createMail };
      }),
  };
};

export type UserMailService = ReturnType<typeof createUserMailService>;
