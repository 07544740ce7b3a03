import type { AccountTexts } from './account-texts.ts';

const changePassword = () =>
  'Falls Sie das nicht waren, ändern Sie jetzt Ihr Passwort und prüfen Sie die zweiten Faktoren Ihres Kontos.';

export const de: AccountTexts = {
  locale: 'de-DE',
  timeZone: 'Uhr (koordinierte Weltzeit, UTC)',
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
  validity: (until) => `Er gilt 15 Minuten, bis zum ${until}.`,
  notRequested:
    'Falls Sie diesen Code nicht angefordert haben, ignorieren Sie diese E-Mail: Es ändert sich nichts, und niemand sonst hat den Code.',
  notices: {
    'password-changed': {
      subject: 'Ihr Passwort wurde geändert',
      notice: (time, product) =>
        `Das Passwort Ihres Kontos bei ${product} wurde am ${time} geändert. Andere Geräte wurden abgemeldet.`,
      advice: () =>
        'Falls Sie das nicht waren, setzen Sie das Passwort jetzt zurück: Wählen Sie auf der Anmeldeseite „Passwort vergessen“.',
    },
    'email-change-requested': {
      subject: 'Eine Änderung Ihrer E-Mail-Adresse wurde angefordert',
      notice: (time, product) =>
        `Für Ihr Konto bei ${product} wurde am ${time} mit dem Passwort eine neue E-Mail-Adresse angefordert. Es ändert sich nichts, bis die neue Adresse mit einem Code bestätigt ist.`,
      advice: () =>
        'Falls Sie das nicht waren, ändern Sie jetzt Ihr Passwort: Damit verfällt auch die Anforderung.',
    },
    'email-changed': {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      notice: (time, product) =>
        `Ihr Konto bei ${product} hat seit dem ${time} eine neue E-Mail-Adresse. Melden Sie sich ab jetzt mit der neuen an. Andere Geräte wurden abgemeldet.`,
      advice: () =>
        'Falls Sie das nicht waren, kennt jemand Ihr Passwort, und mit dieser Adresse lässt es sich nicht mehr zurücksetzen.',
      isForSupport: true,
    },
    'account-deleted': {
      subject: 'Ihr Konto wurde gelöscht',
      notice: (time, product) =>
        `Ihr Konto bei ${product} wurde am ${time} gelöscht. Ihre persönlichen Daten wurden entfernt und alle Geräte abgemeldet.`,
      advice: () => 'Falls Sie das nicht waren, hatte jemand anderes Zugang zu Ihrem Konto.',
      isForSupport: true,
    },
    'wrong-factors': {
      subject: 'Ihr Passwort wurde mit falschen zweiten Faktoren verwendet',
      notice: (time, product) =>
        `Am ${time} hat jemand das richtige Passwort Ihres Kontos bei ${product} eingegeben und danach fünf falsche zweite Faktoren. Die Anmeldung wurde abgelehnt.`,
      advice: () => 'Falls Sie das nicht waren, kennt jemand Ihr Passwort: Ändern Sie es jetzt.',
    },
    'setup-removed': {
      subject: 'Frühere Einstellungen Ihres Kontos wurden entfernt',
      notice: (time, product) =>
        `Diese Adresse wurde am ${time} für Ihr Konto bei ${product} bestätigt. Zweite Faktoren und Sitzungen von vorher wurden entfernt, weil sie bis dahin von jemand anderem sein konnten.`,
      advice: () =>
        'Falls es Ihre waren, melden Sie sich an und richten Sie sie wieder ein. Falls nicht, müssen Sie nichts tun.',
    },
    'totp-enabled': {
      subject: 'Eine Authentifizierungs-App wurde hinzugefügt',
      notice: (time, product) =>
        `Die Anmeldung bei Ihrem Konto bei ${product} verlangt seit dem ${time} einen Code Ihrer Authentifizierungs-App. Bewahren Sie die zehn Wiederherstellungscodes sicher auf: Jeder ersetzt die App einmal. Andere Geräte wurden abgemeldet.`,
      advice: changePassword,
    },
    'totp-disabled': {
      subject: 'Die Authentifizierungs-App wurde entfernt',
      notice: (time, product) =>
        `Die Authentifizierungs-App Ihres Kontos bei ${product} wurde am ${time} entfernt. Andere Geräte wurden abgemeldet.`,
      advice: changePassword,
    },
    'passkey-added': {
      subject: 'Ein Passkey wurde hinzugefügt',
      notice: (time, product) =>
        `Ihrem Konto bei ${product} wurde am ${time} ein Passkey hinzugefügt. Andere Geräte wurden abgemeldet.`,
      advice: changePassword,
    },
    'passkey-removed': {
      subject: 'Ein Passkey wurde entfernt',
      notice: (time, product) =>
        `Ein Passkey Ihres Kontos bei ${product} wurde am ${time} entfernt. Andere Geräte wurden abgemeldet.`,
      advice: changePassword,
    },
    'recovery-codes-replaced': {
      subject: 'Ihre Wiederherstellungscodes wurden ersetzt',
      notice: (time, product) =>
        `Ihr Konto bei ${product} hat seit dem ${time} zehn neue Wiederherstellungscodes. Die bisherigen gelten nicht mehr. Andere Geräte wurden abgemeldet.`,
      advice: changePassword,
    },
    'recovery-code-used': {
      subject: 'Ein Wiederherstellungscode wurde verwendet',
      notice: (time, product) =>
        `Ein Wiederherstellungscode Ihres Kontos bei ${product} wurde am ${time} verwendet. Er gilt nicht mehr. Ihr Konto zeigt, wie viele übrig sind; erstellen Sie neue, bevor der letzte verbraucht ist.`,
      advice: changePassword,
    },
    'reset-by-administrator': {
      subject: 'Ihre zweiten Faktoren wurden von der Administration entfernt',
      notice: (time, product) =>
        `Die Administration von ${product} hat am ${time} alle zweiten Faktoren Ihres Kontos entfernt. Alle Geräte wurden abgemeldet. Melden Sie sich mit Ihrem Passwort an, und fügen Sie wieder einen zweiten Faktor hinzu.`,
      advice: () => 'Falls Sie das nicht angefordert haben, ändern Sie jetzt Ihr Passwort.',
      isForSupport: true,
    },
    'password-guessing-paused': {
      subject: 'Für Ihr Konto wurden viele falsche Passwörter eingegeben',
      notice: (time, product) =>
        `Jemand hat 100-mal hintereinander ein falsches Passwort für Ihr Konto bei ${product} eingegeben. Die Anmeldung mit dem Passwort ist von neuen Geräten und Netzwerken bis zum ${time} nicht möglich.`,
      advice: () =>
        'Falls Ihr Passwort lang ist und Sie es nirgends sonst verwenden, müssen Sie nichts tun. Ändern Sie es andernfalls. Sie können es weiterhin mit einem Code zurücksetzen, der an diese Adresse gesendet wird.',
    },
    'second-factor-guessing-paused': {
      subject: 'Für Ihr Konto wurden viele falsche zweite Faktoren eingegeben',
      notice: (time, product) =>
        `Jemand hat 100-mal hintereinander einen falschen zweiten Faktor für Ihr Konto bei ${product} eingegeben. Zweite Faktoren werden von neuen Geräten und Netzwerken bis zum ${time} nicht angenommen.`,
      advice: () =>
        'Falls Sie das nicht waren, kennt jemand Ihr Passwort: Ändern Sie es jetzt. Sie können es weiterhin mit einem Code zurücksetzen, der an diese Adresse gesendet wird.',
    },
    'code-guessing-paused': {
      subject: 'Für Ihr Konto wurden viele falsche E-Mail-Codes eingegeben',
      notice: (time, product) =>
        `Jemand hat 100-mal hintereinander einen falschen E-Mail-Code für Ihr Konto bei ${product} eingegeben. E-Mail-Codes werden von neuen Geräten und Netzwerken bis zum ${time} nicht angenommen.`,
      advice: () =>
        'Sie müssen nichts tun und können sich weiterhin mit Ihrem Passwort anmelden. Nennen Sie niemandem einen Code, den Sie erhalten.',
    },
    'new-device': {
      subject: 'Anmeldung von einem neuen Gerät',
      notice: (time, product, address) =>
        `Bei Ihrem Konto bei ${product} hat sich am ${time} ein neues Gerät angemeldet. Seine IP-Adresse ist ${address}.`,
      advice: () =>
        'Falls Sie das waren, müssen Sie nichts tun. Falls nicht, beenden Sie diese Sitzung in der Liste Ihrer Sitzungen und ändern Sie jetzt Ihr Passwort: Damit werden alle anderen Geräte abgemeldet.',
    },
    'platform-role-removed': {
      subject: 'Ihre Rolle wurde entfernt',
      notice: (time, product, role) =>
        `Ihre Rolle ${role} bei ${product} wurde am ${time} entfernt. Sie wurden vom Backoffice abgemeldet.`,
      advice: (product) =>
        `Falls Sie das nicht erwartet haben, wenden Sie sich an die Administration von ${product}.`,
    },
    'email-change-taken': {
      subject: 'Ihre E-Mail-Adresse hat bereits ein Konto',
      notice: (_time, product) =>
        `Jemand wollte diese E-Mail-Adresse für ein anderes Konto bei ${product} verwenden. Sie gehört bereits zu einem Konto, daher ändert sich nichts.`,
      advice: () =>
        'Falls Sie das waren, melden Sie sich mit dieser Adresse an, oder wählen Sie für Ihr anderes Konto eine andere. Falls nicht, ignorieren Sie diese E-Mail.',
    },
  },
  support: (product, support) => `Wenden Sie sich an den Support von ${product}: ${support}`,
};
