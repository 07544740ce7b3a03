import type { RoleNotices } from './account-texts.ts';

const contactAdministration = (product: string) =>
  `Falls das für Sie unerwartet kommt, wenden Sie sich bitte an die Administration von ${product}.`;

/** The notices about platform roles, to those who get them and to those who give them. */
export const ROLE_NOTICES: RoleNotices = {
  'invitation-accepted': {
    subject: 'Ihre Einladung wurde angenommen',
    notice: (time, product, detail) => `${detail} hat Ihre Einladung zu ${product} am ${time} angenommen.`,
    advice: () =>
      'Falls Sie das nicht erwartet haben, entziehen Sie diesem Benutzer in der Verwaltung die Rolle, und informieren Sie die anderen Administratoren.',
  },
  'administrator-registered': {
    subject: 'Für Sie wurde ein Konto erstellt',
    notice: (time, product, role) =>
      `Am ${time} wurde bei ${product} ein Konto mit Ihrer E-Mail-Adresse und der Rolle ${role} erstellt.`,
    advice: contactAdministration,
  },
  'platform-role-given': {
    subject: 'Sie haben eine Rolle vergeben',
    notice: (time, product, detail) =>
      `Am ${time} wurde mit Ihrem Konto bei ${product} eine Rolle vergeben. ${detail}.`,
    advice: () =>
      'Falls Sie das nicht waren, ändern Sie Ihr Passwort, entziehen Sie diesem Benutzer in der Verwaltung die Rolle, und informieren Sie die anderen Administratoren.',
  },
  'platform-role-assigned': {
    subject: 'Sie haben eine neue Rolle',
    notice: (time, product, role) =>
      `Sie haben bei ${product} seit dem ${time} die Rolle ${role}. Alle Geräte wurden abgemeldet. Melden Sie sich wieder an, um die Rolle zu verwenden.`,
    advice: contactAdministration,
  },
  'platform-role-removed': {
    subject: 'Ihre Rolle wurde entfernt',
    notice: (time, product, role) =>
      `Ihre Rolle ${role} bei ${product} wurde am ${time} entfernt. Alle Geräte wurden abgemeldet.`,
    advice: contactAdministration,
  },
};
