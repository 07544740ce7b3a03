import { defineWords } from '../../words/define-words.ts';

export const WORKSPACE = defineWords({
  en: {
    title: 'Workspace',
    who: 'Who you are here',
    email: 'E-mail',
    role: 'Role',
    since: 'Account since',
    id: 'User id',
    nothingElse:
      'Your role has no other pages in this console. Your account, with passwords, devices and second factors, is in the menu.',
  },
  de: {
    title: 'Arbeitsbereich',
    who: 'Wer Sie hier sind',
    email: 'E-Mail',
    role: 'Rolle',
    since: 'Konto seit',
    id: 'Benutzer-ID',
    nothingElse:
      'Für Ihre Rolle gibt es in dieser Konsole keine weiteren Seiten. Ihr Konto mit Passwort, Geräten und zweitem Faktor finden Sie im Menü.',
  },
});
