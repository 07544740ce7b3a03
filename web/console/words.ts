import { defineWords } from '../words/define-words.ts';

export const CONSOLE = defineWords({
  en: {
    workspace: 'Workspace',
    yourAccount: 'Your account',
    roles: { ADMIN: 'Administrator', OPERATOR: 'Operator', ARBITER: 'Arbiter' } as Record<string, string>,
    screens: {
      overview: 'Overview',
      users: 'Users',
      projects: 'Projects',
      teams: 'Teams',
      log: 'Audit log',
      forms: 'Contact forms',
      invitations: 'Invitations',
      mails: 'Mails',
    },
    places: { account: 'your account' },
  },
  de: {
    workspace: 'Arbeitsbereich',
    yourAccount: 'Ihr Konto',
    roles: { ADMIN: 'Administrator', OPERATOR: 'Operator', ARBITER: 'Schlichter' },
    screens: {
      overview: 'Übersicht',
      users: 'Personen',
      projects: 'Projekte',
      teams: 'Teams',
      log: 'Protokoll',
      forms: 'Anfragen',
      invitations: 'Einladungen',
      mails: 'E-Mails',
    },
    places: { account: 'Ihr Konto' },
  },
});
