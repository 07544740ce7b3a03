import { validationFailed } from '@platform/shared/errors/app-error';

/** The body field of the new password. */
type Field = 'password' | 'newPassword';

type Options = {
  /** Expects a password in lower case. */
  isCommon: (lower: string) => boolean;
  /** Called only for passwords that pass the other checks. */
  isBreached: (password: string) => Promise<boolean>;
};

/** Thrown only after the account was proved by password or code; otherwise anybody could test passwords. */
export const samePassword = () =>
  validationFailed('The new password is the current one', [
    { path: '/body/newPassword', message: 'must not be the current password', rule: 'same-password' },
  ]);

/**
 * Rejects passwords that are long enough but easy to guess: the most common ones, the user's e-mail, and
 * those of known data breaches (OWASP ASVS 5.0, 6.2.4, 6.2.11 and 6.2.12; NIST SP 800-63B-4, 3.1.1.2).
 */
export const createPasswordPolicy =
  ({ isCommon, isBreached }: Options) =>
  async (password: string, email: string, field: Field): Promise<void> => {
    const lower = password.toLowerCase();
    const [localPart] = email.split('@');
    const guessable = (rule: string, message: string) =>
      validationFailed('The password is too easy to guess', [{ path: `/body/${field}`, message, rule }]);
    if (isCommon(lower)) throw guessable('common-password', 'is one of the most common passwords');
    if (lower === email || lower === localPart)
      throw guessable('password-is-email', 'must not be the e-mail address or the part before the @');
    if (await isBreached(password)) throw guessable('breached-password', 'is known from a data breach');
  };

export type ValidatePassword = ReturnType<typeof createPasswordPolicy>;
