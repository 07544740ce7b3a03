import { defineWords } from '../words/define-words.ts';

export const CONSOLE = defineWords({
  en: {
    home: 'Home',
    yourAccount: 'Your account',
    roles: { ADMIN: 'Administrator', OPERATOR: 'Operator', ARBITER: 'Arbiter' } as Record<string, string>,
    groups: { work: 'Work', directory: 'Directory', system: 'System' },
    screens: {
      overview: 'Overview',
      people: 'People',
      projects: 'Projects',
      teams: 'Teams',
      log: 'Audit log',
      requests: 'Requests',
      colleagues: 'Colleagues',
      mails: 'Mails',
    },
  },
  de: {
    home: 'Start',
    yourAccount: 'Ihr Konto',
    roles: { ADMIN: 'Admin', OPERATOR: 'Operator', ARBITER: 'Schlichter' },
    groups: { work: 'Arbeit', directory: 'Verzeichnis', system: 'System' },
    screens: {
      overview: 'Übersicht',
      people: 'Personen',
      projects: 'Projekte',
      teams: 'Teams',
      log: 'Protokoll',
      requests: 'Anfragen',
      colleagues: 'Kollegen',
      mails: 'E-Mails',
    },
  },
});
