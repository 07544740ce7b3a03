import { ACCOUNT } from '../../web/account/words.ts';
import { AUDIT_LOG } from '../../web/console/audit-log/audit-log-words.ts';
import { CONTACT } from '../../web/console/contact-requests/contact-words.ts';
import { INVITATIONS } from '../../web/console/invitations/invitation-words.ts';
import { MAILS } from '../../web/console/mails/mail-words.ts';
import { NAMES } from '../../web/console/names.ts';
import { OVERVIEW } from '../../web/console/overview/overview-words.ts';
import { PROJECTS } from '../../web/console/projects/project-words.ts';
import { TEAMS } from '../../web/console/teams/team-words.ts';
import { USER_ACTIONS } from '../../web/console/users/user-action-words.ts';
import { USERS } from '../../web/console/users/user-words.ts';
import { COMMON as COMMON_DE } from '../../web/words/common-de.ts';
import { COMMON as COMMON_EN } from '../../web/words/common-en.ts';
import type { Language } from '../../web/words/define-words.ts';
import { OWN_ACCOUNT } from '../../web/words/own-account.ts';
import { SIGNING_IN as SIGNING_IN_DE } from '../../web/words/signing-in-de.ts';
import { SIGNING_IN as SIGNING_IN_EN } from '../../web/words/signing-in-en.ts';

/** The words of the console, so that one test looks for what people read in each language. */
export const wordsOf = (language: Language) => ({
  overview: OVERVIEW[language],
  users: USERS[language],
  userActions: USER_ACTIONS[language],
  projects: PROJECTS[language],
  teams: TEAMS[language],
  log: AUDIT_LOG[language],
  contact: CONTACT[language],
  invitations: INVITATIONS[language],
  mails: MAILS[language],
  names: NAMES[language],
});
export type ConsoleWords = ReturnType<typeof wordsOf>;

const COMMON = { en: COMMON_EN, de: COMMON_DE };
const SIGNING_IN = { en: SIGNING_IN_EN, de: SIGNING_IN_DE };

/** The words of the sign-in and account pages. */
export const accountWordsOf = (language: Language) => ({
  common: COMMON[language],
  signingIn: SIGNING_IN[language],
  account: ACCOUNT[language],
  own: OWN_ACCOUNT[language],
});
export type AccountWords = ReturnType<typeof accountWordsOf>;
