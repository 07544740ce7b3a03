import type { AccountTexts } from './account-texts.ts';

/** Also fits accounts without a password, because a reset sets one. */
export const CHANGE =
  'ändern Sie bitte sofort Ihr Passwort oder setzen Sie es auf der Anmeldeseite über „Passwort vergessen?“ zurück';

export const CODES: AccountTexts['codes'] = {
  'verification-code': {
    title: 'E-Mail-Adresse bestätigen',
    summary: (code, product) => `${code} ist Ihr Bestätigungscode für ${product}.`,
  },
  'reset-password-code': {
    title: 'Ihr Code zum Zurücksetzen des Passworts',
    summary: (code, product) => `${code} ist Ihr Code zum Zurücksetzen des Passworts bei ${product}.`,
  },
  'email-change-code': {
    title: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
    summary: (code, product) => `${code} ist Ihr Code zur Bestätigung dieser Adresse bei ${product}.`,
    effect: (product) => `Danach melden Sie sich bei ${product} mit dieser Adresse an.`,
  },
  'sign-in-code': {
    title: 'Ihr Anmeldecode',
    summary: (code, product) => `${code} ist Ihr Anmeldecode für ${product}.`,
  },
  'new-device-code': {
    title: 'Ihr Code für ein neues Gerät',
    summary: (code, product) =>
      `${code} ist Ihr Code, um sich bei ${product} mit einem neuen Gerät anzumelden.`,
    notRequested: `Falls Sie das nicht waren, kennt jemand Ihr Passwort, kann sich aber ohne diesen Code nicht anmelden: Dann ${CHANGE}.`,
  },
};
