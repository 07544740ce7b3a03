import { CONTINUE } from '../../web/account/continue-words.ts';
import { KINDS } from '../../web/account/kind-words.ts';
import { PASSKEY_OFFER } from '../../web/account/passkey-offer-words.ts';
import { SIGN_UP } from '../../web/account/sign-up-words.ts';
import { VERIFICATION } from '../../web/account/verification-words.ts';
import { ACCOUNT } from '../../web/account/words.ts';
import { AUDIT_LOG } from '../../web/console/audit-log/audit-log-words.ts';
import { INVITATIONS } from '../../web/console/colleagues/invitation-words.ts';
import { CONTACT } from '../../web/console/contact-requests/contact-words.ts';
import { MAILS } from '../../web/console/mails/mail-words.ts';
import { NAMES } from '../../web/console/names.ts';
import { OVERVIEW } from '../../web/console/overview/overview-words.ts';
import { PROJECTS } from '../../web/console/projects/project-words.ts';
import { ACTIVITY } from '../../web/console/records/audit-words.ts';
import { MAIL_NAMES } from '../../web/console/records/mail-names.ts';
import { SEARCH } from '../../web/console/search/search-words.ts';
import { TEAMS } from '../../web/console/teams/team-words.ts';
import { USER_ACTIONS } from '../../web/console/users/user-action-words.ts';
import { USER_HELP } from '../../web/console/users/user-help-words.ts';
import { USER_LIST } from '../../web/console/users/user-list-words.ts';
import { USERS } from '../../web/console/users/user-words.ts';
import { OWN_ACCOUNT } from '../../web/own-account/words.ts';
import { CALLBACK } from '../../web/signing-in/callback-words.ts';
import { MAILED_CODE } from '../../web/signing-in/mailed-code-words.ts';
import { SECOND_STEP } from '../../web/signing-in/second-step-words.ts';
import { SIGN_IN_AGAIN } from '../../web/signing-in/sign-in-again-words.ts';
import { SUPPORT } from '../../web/signing-in/support-words.ts';
import { COMMON } from '../../web/words/common.ts';
import type { Language } from '../../web/words/define-words.ts';
import { FORM } from '../../web/words/form.ts';
import { SIGNING_IN } from '../../web/words/signing-in.ts';

/** The words of the console, so that one test looks for what people read in each language. */
export const wordsOf = (language: Language) => ({
  common: COMMON[language],
  search: SEARCH[language],
  overview: OVERVIEW[language],
  users: { ...USERS[language], ...ACTIVITY[language] },
  userActions: USER_ACTIONS[language],
  userHelp: USER_HELP[language],
  userList: USER_LIST[language],
  projects: PROJECTS[language],
  teams: TEAMS[language],
  log: AUDIT_LOG[language],
  contact: CONTACT[language],
  invitations: INVITATIONS[language],
  mails: MAILS[language],
  mailNames: MAIL_NAMES[language],
  names: NAMES[language],
});
export type ConsoleWords = ReturnType<typeof wordsOf>;

/** The words of the sign-in and account pages. */
export const accountWordsOf = (language: Language) => ({
  common: { ...COMMON[language], ...FORM[language] },
  signingIn: {
    ...SIGNING_IN[language],
    ...MAILED_CODE[language],
    ...SUPPORT[language],
    ...SECOND_STEP[language],
    ...SIGN_IN_AGAIN[language],
    ...CALLBACK[language],
  },
  account: {
    ...ACCOUNT[language],
    ...CONTINUE[language],
    ...SIGN_UP[language],
    ...VERIFICATION[language],
    ...KINDS[language],
  },
  own: OWN_ACCOUNT[language],
  offer: PASSKEY_OFFER[language],
});
export type AccountWords = ReturnType<typeof accountWordsOf>;
