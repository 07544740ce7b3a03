import type { AccountTexts } from './account-texts.ts';

const changePassword = () =>
  'Falls Sie das nicht waren, ändern Sie jetzt Ihr Passwort und prüfen Sie die zweiten Faktoren Ihres Kontos.';

export const de: AccountTexts = {
  codes: {
    'verification-code': {
      subject: 'Ihr Bestätigungscode',
      summary: (code, product) => `${code} ist Ihr Bestätigungscode für ${product}.`,
      instruction: (product) =>
        `Geben Sie diesen Code bei ${product} ein, um Ihre E-Mail-Adresse zu bestätigen.`,
    },
    'reset-password-code': {
      subject: 'Ihr Code zum Zurücksetzen des Passworts',
      summary: (code, product) => `${code} ist Ihr Code zum Zurücksetzen des Passworts bei ${product}.`,
      instruction: (product) => `Geben Sie diesen Code bei ${product} ein, um ein neues Passwort zu wählen.`,
    },
    'email-change-code': {
      subject: 'Ihr Code zur Bestätigung dieser E-Mail-Adresse',
      summary: (code, product) =>
        `${code} ist Ihr Code zur Bestätigung dieser E-Mail-Adresse bei ${product}.`,
      instruction: (product) =>
        `Geben Sie diesen Code bei ${product} ein, um diese E-Mail-Adresse für Ihr Konto zu übernehmen.`,
    },
  },
  validity: (until) => `Er gilt 15 Minuten, bis ${until}.`,
  notRequested:
    'Falls Sie diesen Code nicht angefordert haben, ignorieren Sie diese E-Mail: Es ändert sich nichts, und niemand sonst hat den Code.',
  notices: {
    'password-changed': {
      subject: 'Ihr Passwort wurde geändert',
      notice: (time, product) =>
        `Das Passwort Ihres Kontos bei ${product} wurde geändert (${time}). Andere Geräte wurden abgemeldet.`,
      advice: () =>
        'Falls Sie das nicht waren, setzen Sie das Passwort jetzt zurück: Wählen Sie auf der Anmeldeseite „Passwort vergessen“.',
    },
    'email-change-requested': {
      subject: 'Eine Änderung Ihrer E-Mail-Adresse wurde angefordert',
      notice: (time, product) =>
        `Für Ihr Konto bei ${product} wurde mit dem Passwort eine neue E-Mail-Adresse angefordert (${time}). Es ändert sich nichts, bis die neue Adresse mit einem Code bestätigt ist.`,
      advice: () =>
        'Falls Sie das nicht waren, ändern Sie jetzt Ihr Passwort: Damit verfällt auch die Anforderung.',
    },
    'email-changed': {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      notice: (time, product) =>
        `Ihr Konto bei ${product} hat eine neue E-Mail-Adresse (${time}). Melden Sie sich ab jetzt mit der neuen an. Andere Geräte wurden abgemeldet.`,
      advice: (product) =>
        `Falls Sie das nicht waren, wenden Sie sich jetzt an den Support von ${product}: Mit dieser Adresse lässt sich das Passwort nicht mehr zurücksetzen.`,
    },
    'account-deleted': {
      subject: 'Ihr Konto wurde gelöscht',
      notice: (time, product) =>
        `Ihr Konto bei ${product} wurde gelöscht (${time}). Ihre persönlichen Daten wurden entfernt und alle Geräte abgemeldet.`,
      advice: (product) => `Falls Sie das nicht waren, wenden Sie sich jetzt an den Support von ${product}.`,
    },
  },
  secondFactorChanges: {
    'totp-enabled': {
      subject: 'Eine Authentifizierungs-App wurde hinzugefügt',
      notice: (time, product) =>
        `Die Anmeldung bei Ihrem Konto bei ${product} verlangt jetzt einen Code Ihrer Authentifizierungs-App (${time}). Bewahren Sie die zehn Wiederherstellungscodes sicher auf: Jeder ersetzt die App einmal. Andere Geräte wurden abgemeldet.`,
      advice: changePassword,
    },
    'totp-disabled': {
      subject: 'Die Authentifizierungs-App wurde entfernt',
      notice: (time, product) =>
        `Die Authentifizierungs-App Ihres Kontos bei ${product} wurde entfernt (${time}). Andere Geräte wurden abgemeldet.`,
      advice: changePassword,
    },
    'passkey-added': {
      subject: 'Ein Passkey wurde hinzugefügt',
      notice: (time, product) =>
        `Ihrem Konto bei ${product} wurde ein Passkey hinzugefügt (${time}). Andere Geräte wurden abgemeldet.`,
      advice: changePassword,
    },
    'passkey-removed': {
      subject: 'Ein Passkey wurde entfernt',
      notice: (time, product) =>
        `Ein Passkey Ihres Kontos bei ${product} wurde entfernt (${time}). Andere Geräte wurden abgemeldet.`,
      advice: changePassword,
    },
    'recovery-codes-replaced': {
      subject: 'Ihre Wiederherstellungscodes wurden ersetzt',
      notice: (time, product) =>
        `Ihr Konto bei ${product} hat zehn neue Wiederherstellungscodes (${time}). Die bisherigen gelten nicht mehr. Andere Geräte wurden abgemeldet.`,
      advice: changePassword,
    },
    'recovery-code-used': {
      subject: 'Ein Wiederherstellungscode wurde verwendet',
      notice: (time, product) =>
        `Ein Wiederherstellungscode Ihres Kontos bei ${product} wurde verwendet (${time}). Er gilt nicht mehr. Ihr Konto zeigt, wie viele übrig sind; erstellen Sie neue, bevor der letzte verbraucht ist.`,
      advice: changePassword,
    },
    'reset-by-administrator': {
      subject: 'Ihre zweiten Faktoren wurden von der Administration entfernt',
      notice: (time, product) =>
        `Die Administration von ${product} hat alle zweiten Faktoren Ihres Kontos entfernt (${time}). Alle Geräte wurden abgemeldet. Melden Sie sich mit Ihrem Passwort an, und fügen Sie wieder einen zweiten Faktor hinzu.`,
      advice: (product) =>
        `Falls Sie das nicht angefordert haben, ändern Sie Ihr Passwort und wenden Sie sich jetzt an den Support von ${product}.`,
    },
  },
  newDevice: {
    subject: 'Anmeldung von einem neuen Gerät',
    notice: (time, address, product) =>
      `Bei Ihrem Konto bei ${product} hat sich ein neues Gerät angemeldet (${time}). Seine IP-Adresse ist ${address}.`,
    advice: () =>
      'Falls Sie das waren, müssen Sie nichts tun. Falls nicht, beenden Sie diese Sitzung in der Liste Ihrer Sitzungen und ändern Sie jetzt Ihr Passwort: Damit werden alle anderen Geräte abgemeldet.',
  },
  emailChangeTaken: {
    subject: 'Ihre E-Mail-Adresse hat bereits ein Konto',
    notice: (product) =>
      `Jemand wollte diese E-Mail-Adresse für ein anderes Konto bei ${product} verwenden. Sie gehört bereits zu einem Konto, daher ändert sich nichts.`,
    advice: () =>
      'Falls Sie das waren, melden Sie sich mit dieser Adresse an, oder wählen Sie für Ihr anderes Konto eine andere. Falls nicht, ignorieren Sie diese E-Mail.',
  },
};
