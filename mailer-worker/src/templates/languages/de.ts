import type { AccountTexts } from './account-texts.ts';

/** For accounts without a password too: a reset sets one. */
const CHANGE =
  'ändern Sie jetzt Ihr Passwort, oder setzen Sie es auf der Anmeldeseite mit „Passwort vergessen“ zurück';
const changePassword = () =>
  `Falls Sie das nicht waren, ${CHANGE}, und prüfen Sie die zweiten Faktoren Ihres Kontos.`;

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
        `Für Ihr Konto bei ${product} wurde am ${time} eine neue E-Mail-Adresse angefordert. Es ändert sich nichts, bis die neue Adresse mit einem Code bestätigt ist.`,
      advice: () => `Falls Sie das nicht waren, ${CHANGE}: Damit verfällt auch die Anforderung.`,
    },
    'email-changed': {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      notice: (time, product) =>
        `Ihr Konto bei ${product} hat seit dem ${time} eine neue E-Mail-Adresse. Melden Sie sich ab jetzt mit der neuen an. Andere Geräte wurden abgemeldet.`,
      advice: () =>
        'Falls Sie das nicht waren, hat jemand anderes Zugang zu Ihrem Konto, und mit dieser Adresse lässt sich das Passwort nicht mehr zurücksetzen.',
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
      subject: 'Für Ihr Konto wurden falsche zweite Faktoren eingegeben',
      notice: (time, product) =>
        `Am ${time} hat jemand den ersten Schritt der Anmeldung bei Ihrem Konto bei ${product} geschafft, etwa mit dem Passwort, und danach fünf falsche zweite Faktoren eingegeben. Die Anmeldung wurde abgelehnt.`,
      advice: () => `Falls Sie das nicht waren, ${CHANGE}.`,
    },
    'setup-removed': {
      subject: 'Frühere Einstellungen Ihres Kontos wurden entfernt',
      notice: (time, product) =>
        `Diese Adresse wurde am ${time} für Ihr Konto bei ${product} bestätigt. Zweite Faktoren, Sitzungen und andere Anmeldungen von vorher wurden entfernt, weil sie bis dahin von jemand anderem sein konnten.`,
      advice: () =>
        'Falls es Ihre waren, melden Sie sich an und richten Sie sie wieder ein. Falls nicht, müssen Sie nichts tun.',
    },
    'identity-linked': {
      subject: 'Ihrem Konto wurde eine Anmeldung hinzugefügt',
      notice: (time, product, provider) =>
        `Seit dem ${time} kann man sich mit ${provider} bei Ihrem Konto bei ${product} anmelden.`,
      advice: () => `Falls Sie das nicht waren, entfernen Sie sie in Ihrem Konto, und ${CHANGE}.`,
    },
    'identity-unlinked': {
      subject: 'Eine Anmeldung Ihres Kontos wurde entfernt',
      notice: (time, product, provider) =>
        `Mit ${provider} kann man sich seit dem ${time} nicht mehr bei Ihrem Konto bei ${product} anmelden. Andere Geräte wurden abgemeldet.`,
      advice: changePassword,
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
        `Die Administration von ${product} hat am ${time} alle zweiten Faktoren Ihres Kontos entfernt. Alle Geräte wurden abgemeldet. Melden Sie sich wieder an, und fügen Sie einen zweiten Faktor hinzu.`,
      advice: () => `Falls Sie das nicht angefordert haben, ${CHANGE}.`,
      isForSupport: true,
    },
    'password-guessing-paused': {
      subject: 'Für Ihr Konto wurden viele falsche Passwörter eingegeben',
      notice: (time, product) =>
        `Jemand hat 100-mal hintereinander ein falsches Passwort für Ihr Konto bei ${product} eingegeben. Die Anmeldung mit dem Passwort ist von neuen Geräten und Netzwerken bis zum ${time} nicht möglich.`,
      advice: () =>
        'Falls Sie kein Passwort haben oder ein langes, das Sie nirgends sonst verwenden, müssen Sie nichts tun. Ändern Sie es andernfalls. Sie können es weiterhin mit einem Code zurücksetzen, der an diese Adresse gesendet wird.',
    },
    'second-factor-guessing-paused': {
      subject: 'Für Ihr Konto wurden viele falsche zweite Faktoren eingegeben',
      notice: (time, product) =>
        `Jemand hat 100-mal hintereinander einen falschen zweiten Faktor für Ihr Konto bei ${product} eingegeben. Zweite Faktoren werden von neuen Geräten und Netzwerken bis zum ${time} nicht angenommen.`,
      advice: () => `Falls Sie das nicht waren, ${CHANGE}.`,
    },
    'code-guessing-paused': {
      subject: 'Für Ihr Konto wurden viele falsche E-Mail-Codes eingegeben',
      notice: (time, product) =>
        `Jemand hat 100-mal hintereinander einen falschen E-Mail-Code für Ihr Konto bei ${product} eingegeben. E-Mail-Codes werden von neuen Geräten und Netzwerken bis zum ${time} nicht angenommen.`,
      advice: () =>
        'Sie müssen nichts tun und können sich weiterhin wie bisher anmelden. Nennen Sie niemandem einen Code, den Sie erhalten.',
    },
    'new-device': {
      subject: 'Anmeldung von einem neuen Gerät',
      notice: (time, product, address) =>
        `Bei Ihrem Konto bei ${product} hat sich am ${time} ein neues Gerät angemeldet. Seine IP-Adresse ist ${address}.`,
      advice: () =>
        `Falls Sie das waren, müssen Sie nichts tun. Falls nicht, beenden Sie diese Sitzung in der Liste Ihrer Sitzungen, und ${CHANGE}: Damit werden alle anderen Geräte abgemeldet.`,
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
