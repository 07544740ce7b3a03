import { defineWords } from '../../words/define-words.ts';

export const WORKSPACE = defineWords({
  en: {
    title: 'Home',
    who: 'Who you are here',
    email: 'E-mail',
    role: 'Role',
    since: 'Account since',
    id: 'User id',
    what: { OPERATOR: 'What an operator does', ARBITER: 'What an arbiter does' },
    does: {
      OPERATOR:
        'Operators look after projects while they run: they match teams, follow the contracts, and step in when a project stands still.',
      ARBITER: 'Arbiters decide what customers and teams disagree about.',
    },
    elsewhere: 'This work is done elsewhere. This console keeps your account safe.',
    openDesk: (name: string) => `Open ${name}`,
    account: 'Your account',
    accountHint: 'Password, passkeys, second step, and where you are signed in.',
    openAccount: 'Open your account',
    help: 'Whom to ask',
    helpText: 'Administrators have invited you, and can change your role. For everything else, write to',
    noSupport: 'Administrators have invited you, and can change your role.',
    onlyAdmins: 'Only administrators can open this page',
    onlyAdminsHint: 'Ask an administrator to look at it, or to give you the role.',
    toHome: 'Back to your home',
  },
  de: {
    title: 'Start',
    who: 'Wer Sie hier sind',
    email: 'E-Mail',
    role: 'Rolle',
    since: 'Konto seit',
    id: 'Benutzer-ID',
    what: { OPERATOR: 'Was Operatoren tun', ARBITER: 'Was Schlichter tun' },
    does: {
      OPERATOR:
        'Operatoren begleiten laufende Projekte: Sie vermitteln Teams, verfolgen die Verträge und greifen ein, wenn ein Projekt stillsteht.',
      ARBITER: 'Schlichter entscheiden, worüber sich Kunden und Teams nicht einig sind.',
    },
    elsewhere: 'Diese Arbeit geschieht an anderer Stelle. In dieser Konsole schützen Sie Ihr Konto.',
    openDesk: (name) => `${name} öffnen`,
    account: 'Ihr Konto',
    accountHint: 'Passwort, Passkeys, zweiter Schritt und wo Sie angemeldet sind.',
    openAccount: 'Ihr Konto öffnen',
    help: 'Wer Ihnen hilft',
    helpText: 'Admins haben Sie eingeladen und können Ihre Rolle ändern. Für alles andere schreiben Sie an',
    noSupport: 'Admins haben Sie eingeladen und können Ihre Rolle ändern.',
    onlyAdmins: 'Nur Admins können diese Seite öffnen',
    onlyAdminsHint: 'Bitten Sie einen Admin, sie anzusehen oder Ihnen die Rolle zu geben.',
    toHome: 'Zurück zum Start',
  },
});
