import { conflict, validationFailed } from '@platform/shared/errors/app-error';

/** A requested change of the e-mail, until its code is entered. A later request by the user replaces it. */
export type PendingEmailChange = {
  newEmail: string;
  /**
   * The request is cancelled by a change of the password or the factors, and by the first proof of the
   * current e-mail.
   */
  accountState: string;
};

/** The reasons why an account cannot be deleted. */
export type DeletionRefusal = 'PLATFORM_ROLE_TAKEN' | 'LAST_TEAM_ADMINISTRATOR';

const REFUSALS: Readonly<Record<DeletionRefusal, string>> = {
  PLATFORM_ROLE_TAKEN: 'The user holds a platform role, which must be removed first',
  LAST_TEAM_ADMINISTRATOR: 'The user is the last administrator of a team',
};

export const deletionRefused = (refusal: DeletionRefusal) => conflict(refusal, REFUSALS[refusal]);
export const emailUnchanged = () =>
  validationFailed('The new e-mail is the current one', [
    { path: '/body/newEmail', message: 'must not be the current e-mail', rule: 'email-unchanged' },
  ]);
