import { conflict } from '@platform/shared/errors/app-error';
import type { Language } from '@platform/shared/http/language';
import type { SignInMethod } from '@platform/shared/platform/access/caller';
import type { MailOf } from '@platform/shared/platform/mail/mail';
import type { Account } from '../authentication/callers.ts';

/** A way to prove a second factor, as in the `factors` of a sign-in that requires one. */
export type FactorMethod = Extract<SignInMethod, 'totp' | 'recovery-code' | 'passkey'>;

/** The factors of an account, which may have some while no second step is due. */
export type FactorState = {
  /** The ways to prove a second factor; empty without an authenticator app and a passkey. */
  factors: FactorMethod[];
  /** Whether the owner has switched the second step on. */
  isSecondStepOn: boolean;
  roles: string[];
};

export type AccountWithPassword = Account & {
  /** Null for an account without a password. */
  passwordHash: string | null;
  /** Increased by every change of the user's password, second factors or platform role, and by proofs. */
  factorVersion: number;
} & FactorState;

/** The language and the time zone of mails to a new account. */
export type MailPreferences = { language: Language; timeZone: string | null };

/** If there is no password hash, an identity at a provider signs in. */
export type NewUser = MailPreferences & { email: string; passwordHash: string | null };

/** Users type their e-mail in any letter case. */
export const normaliseEmail = (email: string): string => email.toLowerCase();

export const lastSignInMethod = () =>
  conflict('LAST_SIGN_IN_METHOD', 'The account has no other way to sign in; set a password first');
export const emailTaken = () => conflict('EMAIL_TAKEN', 'An account with this e-mail already exists');

/** The notice to the owner after a change or a reset of the password. */
export const toPasswordChangedMail = ({
  email: to,
  language,
  isEmailVerified,
}: Pick<Account, 'email' | 'language' | 'isEmailVerified'>): MailOf<'password-changed'> => ({
  template: 'password-changed',
  to,
  language,
  isEmailVerified,
  changedAt: new Date().toISOString(),
});
