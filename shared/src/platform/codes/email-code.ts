import { randomUUID } from 'node:crypto';
import { badRequest, conflict, tooManyRequests } from '../../errors/app-error.ts';
import { type Language, toLanguage } from '../../http/language.ts';
import type { AccountKind, CodeMail, CodeRequest } from '../mail/mail.ts';

/** The purpose of a code, and the name of its mail's template. */
export type CodePurpose =
  | 'verification-code'
  | 'reset-password-code'
  | 'email-change-code'
  | 'sign-in-code'
  | 'new-device-code';

export const CODE_LIFETIME_SECONDS = 900;
/** Per kind, purpose and e-mail; of a change of the e-mail also per user. */
export const RESEND_LOCK_SECONDS = 120;

/**
 * A code of one kind, purpose or subject is never valid for another. Limits count by `limitedBy`, which is an
 * e-mail in lower case, so that they also apply to unknown accounts.
 */
export type CodeSubject = {
  kind: AccountKind;
  purpose: CodePurpose;
  limitedBy: string;
  /** The resend lock is of this owner; without one, of `limitedBy`. */
  lockedBy?: string;
  subject: string;
  /** How long no further code is sent; 0 if only the number of codes is limited. */
  lockSeconds: number;
  /** Counts towards the codes that only devices may request which the account knows from their network. */
  isFromKnownDevice?: true;
};

/** How many codes are sent to an address for one purpose. */
export const getSendLimits = ({ isFromKnownDevice }: CodeSubject): { perHour: number; perDay: number } =>
  isFromKnownDevice ? { perHour: 3, perDay: 3 * 24 } : { perHour: 10, perDay: 30 };

const toSubject = (
  kind: AccountKind,
  purpose: CodePurpose,
  email: string,
  subject = email.toLowerCase(),
): CodeSubject => ({
  kind,
  purpose,
  limitedBy: email.toLowerCase(),
  subject,
  lockSeconds: RESEND_LOCK_SECONDS,
});

export const toVerificationSubject = (kind: AccountKind, userId: string, email: string): CodeSubject =>
  toSubject(kind, 'verification-code', email, userId);
/** The code that a sign-in with the password needs on a new device. */
export const toNewDeviceSubject = (kind: AccountKind, userId: string, email: string): CodeSubject =>
  toSubject(kind, 'new-device-code', email, userId);
/** Uses the e-mail instead of the user id, so that an unknown e-mail has a lock and a code, too. */
export const toAddressSubject = (
  kind: AccountKind,
  purpose: 'reset-password-code' | 'sign-in-code',
  email: string,
): CodeSubject => toSubject(kind, purpose, email);

/**
 * The subjects of a code that changes the e-mail. The user's subject decides whether a code is correct. Both
 * limit, so that nobody can send many mails to a stranger from several accounts, or to several strangers from
 * one account. The prefixes separate these limits from those of an account with the new address, whose owner
 * could otherwise be locked out of a password reset. After a code, the user waits for another one to the same
 * address: a mistyped one can be corrected at once, and nobody learns who else has asked for an address.
 */
export const toEmailChangeSubjects = (
  kind: AccountKind,
  userId: string,
  newEmail: string,
): [byAddress: CodeSubject, byUser: CodeSubject] => {
  const change = {
    kind,
    purpose: 'email-change-code',
    subject: `${userId} ${newEmail}`,
    lockedBy: `user ${userId} new ${newEmail}`,
  } as const;
  return [
    { ...change, limitedBy: `new ${newEmail}`, lockSeconds: RESEND_LOCK_SECONDS },
    { ...change, limitedBy: `user ${userId}`, lockSeconds: 0 },
  ];
};

/** Creates a decoy for an address without an account, so that the request does the same work. */
export const createCodeMail = (
  { purpose, kind }: Pick<CodeSubject, 'purpose' | 'kind'>,
  to: string,
  account: { userId: string; language: Language; timeZone: string | null } | undefined,
  code: string,
  request: Omit<CodeRequest, 'timeZone'>,
): CodeMail => ({
  template: purpose,
  to,
  language: toLanguage(account?.language),
  code,
  expiresAt: new Date(Date.now() + CODE_LIFETIME_SECONDS * 1_000).toISOString(),
  isDecoy: !account,
  // A decoy has a random id, so that its job is as long as that of an account.
  userId: account?.userId ?? randomUUID(),
  kind,
  timeZone: account?.timeZone ?? null,
  ...request,
});

/** Wrong, expired, used and exhausted codes get the same error, so that it reveals nothing to an attacker. */
export const codeInvalid = () => badRequest('CODE_INVALID', 'The code is wrong or no longer valid');
export const emailAlreadyVerified = () =>
  conflict('EMAIL_ALREADY_VERIFIED', 'The e-mail is already verified');
export const resendLocked = (retryAfterSeconds: number) =>
  tooManyRequests('RESEND_LOCKED', 'No further code can be sent yet; retry later.', retryAfterSeconds);
