const AT = '20. November 2026 um 03:04 Uhr (koordinierte Weltzeit, UTC)';
const SUPPORT = 'Wenden Sie sich an den Support von Marketplace: support@example.com';

export const GERMAN_MAILS = {
  'verification-code': {
    subject: 'Ihr Bestätigungscode',
    contains: [
      '042917 ist Ihr Bestätigungscode für Marketplace.',
      'Geben Sie diesen Code bei Marketplace ein, um Ihre E-Mail-Adresse zu bestätigen.',
      `gilt 15 Minuten, bis zum ${AT}.`,
      'Falls Sie diesen Code nicht angefordert haben',
    ],
  },
  'reset-password-code': {
    subject: 'Ihr Code zum Zurücksetzen des Passworts',
    contains: [
      '042917 ist Ihr Code zum Zurücksetzen des Passworts bei Marketplace.',
      'Geben Sie diesen Code bei Marketplace ein, um ein neues Passwort zu wählen.',
      `gilt 15 Minuten, bis zum ${AT}.`,
      'Falls Sie diesen Code nicht angefordert haben',
    ],
  },
  'email-change-code': {
    subject: 'Ihr Code zur Bestätigung dieser E-Mail-Adresse',
    contains: [
      '042917 ist Ihr Code zur Bestätigung dieser E-Mail-Adresse bei Marketplace.',
      'um diese E-Mail-Adresse für Ihr Konto zu übernehmen',
      `gilt 15 Minuten, bis zum ${AT}.`,
      'Falls Sie diesen Code nicht angefordert haben',
    ],
  },
  'email-change-taken': {
    subject: 'Ihre E-Mail-Adresse hat bereits ein Konto',
    contains: ['anderes Konto bei Marketplace', 'ändert sich nichts', 'ignorieren Sie diese E-Mail'],
  },
  'email-change-requested': {
    subject: 'Eine Änderung Ihrer E-Mail-Adresse wurde angefordert',
    contains: ['Ihr Konto bei Marketplace', AT, 'ändern Sie jetzt Ihr Passwort'],
  },
  'email-changed': {
    subject: 'Ihre E-Mail-Adresse wurde geändert',
    contains: ['Ihr Konto bei Marketplace', AT, 'Andere Geräte wurden abgemeldet', SUPPORT],
  },
  'password-changed': {
    subject: 'Ihr Passwort wurde geändert',
    contains: [
      `Das Passwort Ihres Kontos bei Marketplace wurde am ${AT} geändert.`,
      'Andere Geräte wurden abgemeldet',
      'Falls Sie das nicht waren',
    ],
  },
  'identity-linked': {
    subject: 'Ihrem Konto wurde eine Anmeldung hinzugefügt',
    contains: [`Seit dem ${AT} kann man sich mit Company`, 'entfernen Sie sie in Ihrem Konto'],
  },
  'identity-unlinked': {
    subject: 'Eine Anmeldung Ihres Kontos wurde entfernt',
    contains: [
      'Mit Company kann man sich',
      AT,
      'Andere Geräte wurden abgemeldet',
      'ändern Sie jetzt Ihr Passwort',
    ],
  },
  'second-factor-changed (totp-enabled)': {
    subject: 'Eine Authentifizierungs-App wurde hinzugefügt',
    contains: [
      AT,
      'zehn Wiederherstellungscodes',
      'Andere Geräte wurden abgemeldet',
      'ändern Sie jetzt Ihr Passwort',
    ],
  },
  'second-factor-changed (totp-disabled)': {
    subject: 'Die Authentifizierungs-App wurde entfernt',
    contains: [AT, 'Andere Geräte wurden abgemeldet', 'ändern Sie jetzt Ihr Passwort'],
  },
  'second-factor-changed (passkey-added)': {
    subject: 'Ein Passkey wurde hinzugefügt',
    contains: [AT, 'Andere Geräte wurden abgemeldet', 'ändern Sie jetzt Ihr Passwort'],
  },
  'second-factor-changed (passkey-removed)': {
    subject: 'Ein Passkey wurde entfernt',
    contains: [AT, 'Andere Geräte wurden abgemeldet', 'ändern Sie jetzt Ihr Passwort'],
  },
  'second-factor-changed (recovery-codes-replaced)': {
    subject: 'Ihre Wiederherstellungscodes wurden ersetzt',
    contains: [AT, 'Die bisherigen gelten nicht mehr', 'ändern Sie jetzt Ihr Passwort'],
  },
  'second-factor-changed (recovery-code-used)': {
    subject: 'Ein Wiederherstellungscode wurde verwendet',
    contains: [AT, 'Er gilt nicht mehr', 'wie viele übrig sind', 'ändern Sie jetzt Ihr Passwort'],
  },
  'second-factor-changed (reset-by-administrator)': {
    subject: 'Ihre zweiten Faktoren wurden von der Administration entfernt',
    contains: [AT, 'Alle Geräte wurden abgemeldet', SUPPORT],
  },
  'new-device': {
    subject: 'Anmeldung von einem neuen Gerät',
    contains: [
      `am ${AT} ein neues Gerät angemeldet. Seine IP-Adresse ist 2001:db8::1.`,
      'beenden Sie diese Sitzung in der Liste Ihrer Sitzungen',
      'ändern Sie jetzt Ihr Passwort',
    ],
  },
  'account-deleted': {
    subject: 'Ihr Konto wurde gelöscht',
    contains: [`Ihr Konto bei Marketplace wurde am ${AT} gelöscht.`, 'persönlichen Daten', SUPPORT],
  },
  'guessing-paused (password)': {
    subject: 'Für Ihr Konto wurden viele falsche Passwörter eingegeben',
    contains: ['100-mal hintereinander', `bis zum ${AT} nicht möglich`, 'mit einem Code zurücksetzen'],
  },
  'guessing-paused (second-factor)': {
    subject: 'Für Ihr Konto wurden viele falsche zweite Faktoren eingegeben',
    contains: ['100-mal hintereinander', `bis zum ${AT} nicht angenommen`, 'ändern Sie jetzt Ihr Passwort'],
  },
  'guessing-paused (code)': {
    subject: 'Für Ihr Konto wurden viele falsche E-Mail-Codes eingegeben',
    contains: ['100-mal hintereinander', `bis zum ${AT} nicht angenommen`, 'weiterhin wie bisher anmelden'],
  },
  'wrong-factors': {
    subject: 'Für Ihr Konto wurden falsche zweite Faktoren eingegeben',
    contains: [`Am ${AT}`, 'den ersten Schritt der Anmeldung', 'fünf falsche', 'setzen Sie es'],
  },
  'platform-role-removed': {
    subject: 'Ihre Rolle wurde entfernt',
    contains: [
      `Ihre Rolle OPERATOR bei Marketplace wurde am ${AT} entfernt.`,
      'Administration von Marketplace',
    ],
  },
  'setup-removed': {
    subject: 'Frühere Einstellungen Ihres Kontos wurden entfernt',
    contains: [`am ${AT} für Ihr Konto bei Marketplace bestätigt`, 'richten Sie sie wieder ein'],
  },
};
