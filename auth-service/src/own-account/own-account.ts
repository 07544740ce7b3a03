import { validationFailed } from '@platform/shared/errors/app-error';

/** A requested change of the e-mail, until its code is entered. A later request by the user replaces it. */
export type PendingEmailChange = {
  newEmail: string;
  /**
   * The request is cancelled by a change of the password, the factors or the platform role, and by the first
   * proof of the current e-mail.
   */
  accountState: string;
};

export const emailUnchanged = () =>
  validationFailed('The new e-mail is the current one', [
    { path: '/body/newEmail', message: 'must not be the current e-mail', rule: 'email-unchanged' },
  ]);
