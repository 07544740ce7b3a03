import { badRequest, conflict, tooManyRequests } from '@platform/shared/errors/app-error';
import type { Kind } from '../kinds.ts';

export type CodePurpose = 'verification-code' | 'reset-password-code';

export const CODE_LIFETIME_SECONDS = 900;
export const RESEND_LOCK_SECONDS = 120;

/**
 * Whom a code is for; a code of one kind, purpose or subject never works for another. The limits of an account are kept by
 * e-mail, in lower case, which an unknown account has too.
 */
export type CodeSubject = { kind: Kind; purpose: CodePurpose; email: string; subject: string };

export const toVerify = (kind: Kind, userId: string, email: string): CodeSubject => ({
  kind,
  purpose: 'verification-code',
  email: email.toLowerCase(),
  subject: userId,
});
/** By e-mail and not by user, so that an unknown address has its lock and its code too. */
export const toReset = (kind: Kind, email: string): CodeSubject => ({
  kind,
  purpose: 'reset-password-code',
  email: email.toLowerCase(),
  subject: email.toLowerCase(),
});

/** A code that somebody sent back, and the client network that it came from. */
export type CodeGuess = { code: string; network: string };

/** A code on its way to its owner. */
export type CodeMail = { template: CodePurpose; to: string; code: string; lifetimeSeconds: number };

/** One answer for a wrong, expired, used and exhausted code: none of them tells a guesser anything. */
export const codeInvalid = () => badRequest('CODE_INVALID', 'The code is wrong or no longer valid');
export const emailAlreadyVerified = () =>
  conflict('EMAIL_ALREADY_VERIFIED', 'The e-mail is verified already');
export const resendLocked = (retryAfterSeconds: number) =>
  tooManyRequests('RESEND_LOCKED', 'No further code can be sent yet; retry later', retryAfterSeconds);
export const tooManyWrongCodes = (retryAfterSeconds: number) =>
  tooManyRequests('RATE_LIMITED', 'Too many wrong codes; retry later', retryAfterSeconds);

/** Hides codes and whom they are for from whoever can read the store. */
export type CodeHasher = {
  hashEmail: (email: string) => string;
  hashCode: (subject: CodeSubject, code: string) => string;
};
