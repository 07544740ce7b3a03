import { validationFailed } from '@platform/shared/errors/app-error';

type Facts = { isCommon: (password: string) => boolean };

/** The body field that holds the new password. */
type Field = 'password' | 'newPassword';

/**
 * Which passwords are refused though they are long enough: the most common ones, and one's own e-mail (OWASP ASVS 5.0,
 * 6.2.4 and 6.2.11; NIST SP 800-63B-4, 3.1.1.2).
 */
export const createPasswordPolicy =
  ({ isCommon }: Facts) =>
  (password: string, email: string, field: Field): void => {
    const lower = password.toLowerCase();
    const [name] = email.split('@');
    const refusal = (message: string) =>
      validationFailed('The password is too easy to guess', [{ path: `/body/${field}`, message }]);
    if (isCommon(lower)) throw refusal('is one of the most common passwords');
    if (lower === email || lower === name) throw refusal('must not be the e-mail');
  };

export type PasswordPolicy = ReturnType<typeof createPasswordPolicy>;
