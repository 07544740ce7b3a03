import type { AccountTexts } from './account-texts.ts';

export const de: AccountTexts = {
  verificationCode: {
    subject: 'Ihr Bestätigungscode',
    summary: (code, product) => `${code} ist Ihr Bestätigungscode für ${product}.`,
    instruction: (product) =>
      `Geben Sie diesen Code bei ${product} ein, um Ihre E-Mail-Adresse zu bestätigen.`,
  },
  resetPasswordCode: {
    subject: 'Ihr Code zum Zurücksetzen des Passworts',
    summary: (code, product) => `${code} ist Ihr Code zum Zurücksetzen des Passworts bei ${product}.`,
    instruction: (product) => `Geben Sie diesen Code bei ${product} ein, um ein neues Passwort zu wählen.`,
  },
  validity: (until) => `Er gilt 15 Minuten, bis ${until}.`,
  notRequested:
    'Falls Sie diesen Code nicht angefordert haben, ignorieren Sie diese E-Mail: Es ändert sich nichts, und niemand sonst hat den Code.',
  passwordChanged: {
    subject: 'Ihr Passwort wurde geändert',
    notice: (time, product) =>
      `Das Passwort Ihres Kontos bei ${product} wurde geändert (${time}). Andere Geräte wurden abgemeldet.`,
    advice:
      'Falls Sie das nicht waren, setzen Sie das Passwort jetzt zurück: Wählen Sie auf der Anmeldeseite „Passwort vergessen“.',
  },
};
