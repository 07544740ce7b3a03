import { badRequest, conflict, tooManyRequests } from '@platform/shared/errors/app-error';
import type { Kind } from '../kinds.ts';

export type CodePurpose = 'verification-code' | 'reset-password-code';

export const CODE_LIFETIME_SECONDS = 900;
/** For one kind, purpose and e-mail. */
export const RESEND_LOCK_SECONDS = 120;

/**
 * A code of one kind, purpose or subject is never valid for another. Limits of an account count by e-mail, in lower case,
 * so that they hold for an unknown account too.
 */
export type CodeSubject = { kind: Kind; purpose: CodePurpose; email: string; subject: string };

export const toVerificationSubject = (kind: Kind, userId: string, email: string): CodeSubject => ({
  kind,
  purpose: 'verification-code',
  email: email.toLowerCase(),
  subject: userId,
});
/** By e-mail instead of user id, so that an unknown e-mail has a lock and a code too. */
export const toResetSubject = (kind: Kind, email: string): CodeSubject => ({
  kind,
  purpose: 'reset-password-code',
  email: email.toLowerCase(),
  subject: email.toLowerCase(),
});

/** A submitted code and the client network of the request. */
export type CodeAttempt = { code: string; network: string };

/** The same error for a wrong, expired, used and exhausted code, so that it reveals nothing to an attacker. */
export const codeInvalid = () => badRequest('CODE_INVALID', 'The code is wrong or no longer valid');
export const emailAlreadyVerified = () =>
  conflict('EMAIL_ALREADY_VERIFIED', 'The e-mail is already verified');
export const resendLocked = (retryAfterSeconds: number) =>
  tooManyRequests('RESEND_LOCKED', 'No further code can be sent yet; retry later.', retryAfterSeconds);
export const tooManyWrongCodes = (retryAfterSeconds: number) =>
  tooManyRequests('RATE_LIMITED', 'Too many wrong codes; retry later.', retryAfterSeconds);
