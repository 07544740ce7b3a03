import { badRequest, conflict, tooManyRequests } from '@platform/shared/errors/app-error';
import type { Kind } from '../kinds.ts';

export type CodePurpose = 'verification-code' | 'reset-password-code';

export const CODE_LIFETIME_SECONDS = 900;
export const RESEND_LOCK_SECONDS = 120;
export const CODE_TRIES = 5;

/** Whom a code is for; a code of one kind, purpose or subject never works for another. */
export type CodeSubject = { kind: Kind; purpose: CodePurpose; subject: string };

export const toVerify = (kind: Kind, userId: string): CodeSubject => ({
  kind,
  purpose: 'verification-code',
  subject: userId,
});
/** By e-mail and not by user, so that an unknown address has its lock and its code too. */
export const toReset = (kind: Kind, email: string): CodeSubject => ({
  kind,
  purpose: 'reset-password-code',
  subject: email.toLowerCase(),
});

/** A code on its way to its owner. */
export type CodeMail = { template: CodePurpose; to: string; code: string; lifetimeSeconds: number };

/** One answer for a wrong, expired, used and exhausted code: none of them tells a guesser anything. */
export const codeInvalid = () => badRequest('CODE_INVALID', 'The code is wrong or no longer valid');
export const emailAlreadyVerified = () =>
  conflict('EMAIL_ALREADY_VERIFIED', 'The e-mail is verified already');
export const resendLocked = (retryAfterSeconds: number) =>
  tooManyRequests('RESEND_LOCKED', 'A code was sent a moment ago', retryAfterSeconds);

/** Hides codes and whom they are for from whoever can read the store. */
export type CodeHasher = {
  hashEmail: (email: string) => string;
  hashSubject: (subject: CodeSubject) => string;
  hashCode: (subject: CodeSubject, code: string) => string;
};
