import { validationFailed } from '@platform/shared/errors/app-error';
import { dictionary } from '@zxcvbn-ts/language-common';

/** The body field of the new password. */
type Field = 'password' | 'newPassword';

/**
 * Rejects passwords that are long enough but easy to guess: the most common ones, and the user's e-mail (OWASP ASVS 5.0,
 * 6.2.4 and 6.2.11; NIST SP 800-63B-4, 3.1.1.2).
 */
export const createPasswordPolicy = ({ rejectCommonPasswords }: { rejectCommonPasswords: boolean }) => {
  const commonPasswords = new Set(rejectCommonPasswords ? dictionary['passwords-common'] : []);
  return (password: string, email: string, field: Field): void => {
    const lower = password.toLowerCase();
    const [localPart] = email.split('@');
    const guessable = (message: string) =>
      validationFailed('The password is too easy to guess', [{ path: `/body/${field}`, message }]);
    if (commonPasswords.has(lower)) throw guessable('is one of the most common passwords');
    if (lower === email || lower === localPart) throw guessable('must not be the e-mail');
  };
};

export type ValidatePassword = ReturnType<typeof createPasswordPolicy>;
