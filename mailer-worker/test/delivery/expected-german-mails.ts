const AT = '20. November 2026 um 03:04 Uhr (UTC)';
const SUPPORT = 'Bitte wenden Sie sich an den Support von Marketplace: support@example.com';

export const GERMAN_MAILS = {
  'verification-code': {
    subject: 'Ihr Bestätigungscode',
    contains: [
      '042917 ist Ihr Bestätigungscode für Marketplace.',
      'Geben Sie diesen Code bei Marketplace ein, um Ihre E-Mail-Adresse zu bestätigen.',
      `ist 15 Minuten gültig, bis zum ${AT}.`,
      'Falls Sie diesen Code nicht angefordert haben',
    ],
  },
  'reset-password-code': {
    subject: 'Ihr Code zum Zurücksetzen des Passworts',
    contains: [
      '042917 ist Ihr Code zum Zurücksetzen des Passworts bei Marketplace.',
      'Geben Sie diesen Code bei Marketplace ein, um ein neues Passwort festzulegen.',
      `ist 15 Minuten gültig, bis zum ${AT}.`,
      'Falls Sie diesen Code nicht angefordert haben',
    ],
  },
  'email-change-code': {
    subject: 'Ihr Code zur Bestätigung dieser E-Mail-Adresse',
    contains: [
      '042917 ist Ihr Code zur Bestätigung dieser E-Mail-Adresse bei Marketplace.',
      'um Ihr Konto auf diese E-Mail-Adresse umzustellen',
      `ist 15 Minuten gültig, bis zum ${AT}.`,
      'Falls Sie diesen Code nicht angefordert haben',
    ],
  },
  'email-change-taken': {
    subject: 'Zu Ihrer E-Mail-Adresse gibt es bereits ein Konto',
    contains: ['anderes Konto bei Marketplace', 'ändert sich nichts', 'können Sie diese E-Mail ignorieren'],
  },
  'email-change-requested': {
    subject: 'Ihre E-Mail-Adresse soll geändert werden',
    contains: ['Ihr Konto bei Marketplace', AT, 'ändern Sie bitte sofort Ihr Passwort'],
  },
  'email-changed': {
    subject: 'Ihre E-Mail-Adresse wurde geändert',
    contains: ['Ihres Kontos bei Marketplace', AT, 'Andere Geräte wurden abgemeldet', SUPPORT],
  },
  'password-changed': {
    subject: 'Ihr Passwort wurde geändert',
    contains: [
      `Das Passwort für Ihr Konto bei Marketplace wurde am ${AT} geändert.`,
      'Andere Geräte wurden abgemeldet',
      'Falls Sie das nicht waren',
    ],
  },
  'identity-linked': {
    subject: 'Neue Anmeldemöglichkeit für Ihr Konto',
    contains: [`Seit dem ${AT}`, 'auch über Company möglich', 'entfernen Sie diese Anmeldemöglichkeit'],
  },
  'identity-unlinked': {
    subject: 'Eine Anmeldemöglichkeit Ihres Kontos wurde entfernt',
    contains: [
      'über Company nicht mehr möglich',
      AT,
      'Andere Geräte wurden abgemeldet',
      'ändern Sie bitte sofort Ihr Passwort',
    ],
  },
  'second-factor-changed (totp-enabled)': {
    subject: 'Eine Authenticator-App wurde hinzugefügt',
    contains: [
      AT,
      'zehn Wiederherstellungscodes',
      'Andere Geräte wurden abgemeldet',
      'ändern Sie bitte sofort Ihr Passwort',
    ],
  },
  'second-factor-changed (totp-disabled)': {
    subject: 'Die Authenticator-App wurde entfernt',
    contains: [AT, 'Andere Geräte wurden abgemeldet', 'ändern Sie bitte sofort Ihr Passwort'],
  },
  'second-factor-changed (passkey-added)': {
    subject: 'Ein Passkey wurde hinzugefügt',
    contains: [AT, 'Andere Geräte wurden abgemeldet', 'ändern Sie bitte sofort Ihr Passwort'],
  },
  'second-factor-changed (passkey-removed)': {
    subject: 'Ein Passkey wurde entfernt',
    contains: [AT, 'Andere Geräte wurden abgemeldet', 'ändern Sie bitte sofort Ihr Passwort'],
  },
  'second-factor-changed (recovery-codes-replaced)': {
    subject: 'Ihre Wiederherstellungscodes wurden ersetzt',
    contains: [AT, 'Die bisherigen sind nicht mehr gültig', 'ändern Sie bitte sofort Ihr Passwort'],
  },
  'second-factor-changed (recovery-code-used)': {
    subject: 'Ein Wiederherstellungscode wurde verwendet',
    contains: [
      AT,
      'Er ist nicht mehr gültig',
      'wie viele noch übrig sind',
      'ändern Sie bitte sofort Ihr Passwort',
    ],
  },
  'second-factor-changed (reset-by-administrator)': {
    subject: 'Ihre zweiten Faktoren wurden von der Administration entfernt',
    contains: [AT, 'Alle Geräte wurden abgemeldet', SUPPORT],
  },
  'new-device': {
    subject: 'Anmeldung von einem neuen Gerät',
    contains: [
      `am ${AT} eine Anmeldung von einem neuen Gerät. Die IP-Adresse lautet 2001:db8::1.`,
      'beenden Sie diese Sitzung in der Liste Ihrer Sitzungen',
      'ändern Sie bitte sofort Ihr Passwort',
    ],
  },
  'account-deleted': {
    subject: 'Ihr Konto wurde gelöscht',
    contains: [`Ihr Konto bei Marketplace wurde am ${AT} gelöscht.`, 'persönlichen Daten', SUPPORT],
  },
  'guessing-paused (password)': {
    subject: 'Für Ihr Konto wurde sehr oft ein falsches Passwort eingegeben',
    contains: ['100-mal hintereinander', `bis zum ${AT} nicht möglich`, 'mit einem Code zurücksetzen'],
  },
  'guessing-paused (second-factor)': {
    subject: 'Für Ihr Konto wurde sehr oft ein falscher zweiter Faktor eingegeben',
    contains: [
      '100-mal hintereinander',
      `bis zum ${AT} nicht angenommen`,
      'ändern Sie bitte sofort Ihr Passwort',
    ],
  },
  'guessing-paused (code)': {
    subject: 'Für Ihr Konto wurde sehr oft ein falscher E-Mail-Code eingegeben',
    contains: ['100-mal hintereinander', `bis zum ${AT} nicht angenommen`, 'weiterhin wie gewohnt anmelden'],
  },
  'wrong-factors': {
    subject: 'Für Ihr Konto wurden falsche zweite Faktoren eingegeben',
    contains: [`Am ${AT}`, 'Der erste Schritt', 'fünfmal ein falscher', 'setzen Sie es'],
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
