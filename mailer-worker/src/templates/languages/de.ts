import type { AccountTexts } from './account-texts.ts';
import { CHANGE, CODES } from './de-codes.ts';
import { ROLE_NOTICES } from './de-roles.ts';

const changePassword = () =>
  `Falls Sie das nicht waren, ${CHANGE}. Prüfen Sie außerdem die zweiten Faktoren Ihres Kontos.`;

export const de: AccountTexts = {
  locale: 'de-DE',
  afterTime: (zone) => `Uhr (${zone})`,
  codes: CODES,
  device: (browser, system) => `${browser} auf ${system}`,
  codeSubject: (code) => `${code} ist Ihr Code`,
  enterCode: () => 'Geben Sie diesen Code ein:',
  requested: (time) => `Angefordert am ${time}`,
  from: (device) => `mit ${device}`,
  bySupport: 'von unserem Support',
  validity: 'Er gilt 15 Minuten. Wir fragen Sie niemals am Telefon oder im Chat nach diesem Code.',
  notRequested:
    'Falls Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren. Es ändert sich nichts.',
  codeReason: (address, product) =>
    `Gesendet an ${address}, weil jemand diese Adresse bei ${product} eingegeben hat.`,
  accountReason: (product) => `Sie erhalten diese E-Mail, weil Sie ein Konto bei ${product} haben.`,
  openPage: 'Seite mit eingetragenem Code öffnen',
  check: { devices: 'Geräte prüfen', 'signing-in': 'Konto prüfen' },
  signIn: 'Anmelden',
  administratorAccount: 'Administratorkonto',
  notices: {
    'password-changed': {
      subject: 'Ihr Passwort wurde geändert',
      notice: (time, product) =>
        `Das Passwort für Ihr Konto bei ${product} wurde am ${time} geändert. Andere Geräte wurden abgemeldet.`,
      advice: () =>
        'Falls Sie das nicht waren, setzen Sie das Passwort bitte sofort zurück. Wählen Sie dazu auf der Anmeldeseite „Passwort vergessen?“.',
    },
    'email-change-requested': {
      subject: 'Ihre E-Mail-Adresse soll geändert werden',
      notice: (time, product) =>
        `Für Ihr Konto bei ${product} wurde am ${time} eine neue E-Mail-Adresse angegeben. Sie gilt erst, wenn sie mit einem Code bestätigt wurde.`,
      advice: () =>
        `Falls Sie das nicht waren, ${CHANGE}. Damit wird auch die Änderung der E-Mail-Adresse abgebrochen.`,
    },
    'email-changed': {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      notice: (time, product) =>
        `Die E-Mail-Adresse Ihres Kontos bei ${product} wurde am ${time} geändert. Melden Sie sich ab jetzt mit der neuen Adresse an. Andere Geräte wurden abgemeldet.`,
      advice: () =>
        'Falls Sie das nicht waren, hat jemand anderes Zugang zu Ihrem Konto. Über diese Adresse können Sie das Passwort nicht mehr zurücksetzen.',
      isForSupport: true,
    },
    'account-deleted': {
      subject: 'Ihr Konto wurde gelöscht',
      notice: (time, product) =>
        `Ihr Konto bei ${product} wurde am ${time} gelöscht. Auch Ihre persönlichen Daten wurden gelöscht, und alle Geräte wurden abgemeldet.`,
      advice: (product) =>
        `Falls Sie es nicht selbst gelöscht haben, war es entweder die Administration von ${product}, oder jemand anderes hatte Zugang zu Ihrem Konto.`,
      isForSupport: true,
    },
    'wrong-factors': {
      subject: 'Für Ihr Konto wurden falsche zweite Faktoren eingegeben',
      notice: (time, product) =>
        `Am ${time} wollte sich jemand bei Ihrem Konto bei ${product} anmelden. Der erste Schritt, zum Beispiel das Passwort, war richtig, aber danach wurde fünfmal ein falscher zweiter Faktor eingegeben. Die Anmeldung wurde abgelehnt.`,
      advice: () => `Falls Sie das nicht waren, ${CHANGE}.`,
    },
    'setup-removed': {
      subject: 'Frühere Einstellungen Ihres Kontos wurden entfernt',
      notice: (time, product) =>
        `Diese Adresse wurde am ${time} für Ihr Konto bei ${product} bestätigt. Zweite Faktoren, Sitzungen und Anmeldemöglichkeiten, die es vorher gab, wurden entfernt, weil sie auch von jemand anderem stammen konnten.`,
      advice: () =>
        'Falls es Ihre eigenen waren, melden Sie sich an und richten Sie sie wieder ein. Andernfalls müssen Sie nichts tun.',
    },
    'identity-linked': {
      subject: 'Neue Anmeldemöglichkeit für Ihr Konto',
      notice: (time, product, provider) =>
        `Seit dem ${time} ist die Anmeldung bei Ihrem Konto bei ${product} auch über ${provider} möglich.`,
      advice: () =>
        `Falls Sie das nicht waren, entfernen Sie diese Anmeldemöglichkeit in Ihrem Konto und ${CHANGE}.`,
    },
    'identity-unlinked': {
      subject: 'Eine Anmeldemöglichkeit Ihres Kontos wurde entfernt',
      notice: (time, product, provider) =>
        `Seit dem ${time} ist die Anmeldung bei Ihrem Konto bei ${product} über ${provider} nicht mehr möglich. Andere Geräte wurden abgemeldet.`,
      advice: changePassword,
    },
    'identity-unlinked-by-administrator': {
      subject: 'Eine Anmeldemöglichkeit wurde von der Administration entfernt',
      notice: (time, product, provider) =>
        `Die Administration von ${product} hat am ${time} die Anmeldung bei Ihrem Konto über ${provider} entfernt. Geräte, die damit angemeldet waren, wurden abgemeldet.`,
      advice: () => `Falls Sie das nicht angefordert haben, ${CHANGE}.`,
      isForSupport: true,
    },
    'totp-enabled': {
      subject: 'Eine Authenticator-App wurde hinzugefügt',
      notice: (time, product) =>
        `Für die Anmeldung bei Ihrem Konto bei ${product} brauchen Sie seit dem ${time} einen Code aus Ihrer Authenticator-App. Bewahren Sie Ihre Wiederherstellungscodes sicher auf: Jeder davon ersetzt die App genau einmal. Andere Geräte wurden abgemeldet.`,
      advice: changePassword,
    },
    'totp-disabled': {
      subject: 'Die Authenticator-App wurde entfernt',
      notice: (time, product) =>
        `Die Authenticator-App wurde am ${time} von Ihrem Konto bei ${product} entfernt. Andere Geräte wurden abgemeldet.`,
      advice: changePassword,
    },
    'passkey-added': {
      subject: 'Ein Passkey wurde hinzugefügt',
      notice: (time, product) => `Zu Ihrem Konto bei ${product} wurde am ${time} ein Passkey hinzugefügt.`,
      advice: changePassword,
    },
    'passkey-removed': {
      subject: 'Ein Passkey wurde entfernt',
      notice: (time, product) => `Von Ihrem Konto bei ${product} wurde am ${time} ein Passkey entfernt.`,
      advice: changePassword,
    },
    'recovery-codes-replaced': {
      subject: 'Ihre Wiederherstellungscodes wurden ersetzt',
      notice: (time, product) =>
        `Für Ihr Konto bei ${product} gelten seit dem ${time} zehn neue Wiederherstellungscodes. Die bisherigen sind nicht mehr gültig. Andere Geräte wurden abgemeldet.`,
      advice: changePassword,
    },
    'recovery-code-used': {
      subject: 'Ein Wiederherstellungscode wurde verwendet',
      notice: (time, product) =>
        `Für Ihr Konto bei ${product} wurde am ${time} ein Wiederherstellungscode verwendet. Er ist nicht mehr gültig. In Ihrem Konto sehen Sie, wie viele noch übrig sind. Erstellen Sie neue, bevor Sie den letzten verwenden.`,
      advice: changePassword,
    },
    'second-step-enabled': {
      subject: 'Der zweite Schritt wurde eingeschaltet',
      notice: (time, product) =>
        `Für die Anmeldung bei Ihrem Konto bei ${product} brauchen Sie seit dem ${time} einen zweiten Schritt, zum Beispiel Ihren Passkey. Bewahren Sie Ihre Wiederherstellungscodes sicher auf: Jeder davon ersetzt ihn genau einmal. Andere Geräte wurden abgemeldet.`,
      advice: changePassword,
    },
    'second-step-disabled': {
      subject: 'Der zweite Schritt wurde ausgeschaltet',
      notice: (time, product) =>
        `Für die Anmeldung bei Ihrem Konto bei ${product} brauchen Sie seit dem ${time} keinen zweiten Schritt mehr. Die Wiederherstellungscodes sind nicht mehr gültig. Andere Geräte wurden abgemeldet.`,
      advice: changePassword,
    },
    'reset-by-administrator': {
      subject: 'Ihre zweiten Faktoren wurden von der Administration entfernt',
      notice: (time, product) =>
        `Die Administration von ${product} hat am ${time} alle zweiten Faktoren Ihres Kontos entfernt. Alle Geräte wurden abgemeldet. Bitte melden Sie sich wieder an und richten Sie einen neuen zweiten Faktor ein.`,
      advice: () => `Falls Sie das nicht angefordert haben, ${CHANGE}.`,
      isForSupport: true,
    },
    'totp-removed-by-administrator': {
      subject: 'Die Authenticator-App wurde von der Administration entfernt',
      notice: (time, product) =>
        `Die Administration von ${product} hat am ${time} die Authenticator-App von Ihrem Konto entfernt. Alle Geräte wurden abgemeldet.`,
      advice: () => `Falls Sie das nicht angefordert haben, ${CHANGE}.`,
      isForSupport: true,
    },
    'passkey-removed-by-administrator': {
      subject: 'Ein Passkey wurde von der Administration entfernt',
      notice: (time, product) =>
        `Die Administration von ${product} hat am ${time} einen Passkey von Ihrem Konto entfernt. Alle Geräte wurden abgemeldet.`,
      advice: () => `Falls Sie das nicht angefordert haben, ${CHANGE}.`,
      isForSupport: true,
    },
    'password-guessing-paused': {
      subject: 'Für Ihr Konto wurde sehr oft ein falsches Passwort eingegeben',
      notice: (time, product) =>
        `Für Ihr Konto bei ${product} wurde 100-mal hintereinander ein falsches Passwort eingegeben. Von neuen Geräten und aus neuen Netzwerken ist die Anmeldung mit dem Passwort deshalb bis zum ${time} nicht möglich.`,
      advice: () =>
        'Falls Sie kein Passwort haben oder ein langes, das Sie nirgendwo sonst verwenden, müssen Sie nichts tun. Andernfalls sollten Sie es ändern. Sie können es weiterhin mit einem Code zurücksetzen, den wir an diese Adresse senden.',
    },
    'second-factor-guessing-paused': {
      subject: 'Für Ihr Konto wurde sehr oft ein falscher zweiter Faktor eingegeben',
      notice: (time, product) =>
        `Für Ihr Konto bei ${product} wurde 100-mal hintereinander ein falscher zweiter Faktor eingegeben. Von neuen Geräten und aus neuen Netzwerken werden zweite Faktoren deshalb bis zum ${time} nicht angenommen.`,
      advice: () => `Falls Sie das nicht waren, ${CHANGE}.`,
    },
    'code-guessing-paused': {
      subject: 'Für Ihr Konto wurde sehr oft ein falscher E-Mail-Code eingegeben',
      notice: (time, product) =>
        `Für Ihr Konto bei ${product} wurde 100-mal hintereinander ein falscher E-Mail-Code eingegeben. Von neuen Geräten und aus neuen Netzwerken werden E-Mail-Codes deshalb bis zum ${time} nicht angenommen.`,
      advice: () =>
        'Sie müssen nichts tun und können sich weiterhin wie gewohnt anmelden. Geben Sie Codes, die Sie erhalten, niemals weiter.',
    },
    ...ROLE_NOTICES,
    'email-change-taken': {
      subject: 'Zu Ihrer E-Mail-Adresse gibt es bereits ein Konto',
      notice: (_time, product) =>
        `Jemand wollte diese E-Mail-Adresse für ein anderes Konto bei ${product} verwenden. Dazu gibt es aber bereits ein Konto, deshalb ändert sich nichts.`,
      advice: () =>
        'Falls Sie das waren, melden Sie sich mit dieser Adresse an oder wählen Sie für Ihr anderes Konto eine andere. Andernfalls können Sie diese E-Mail ignorieren.',
    },
    'wrong-kind': {
      subject: 'Sie haben eine andere Art von Konto',
      notice: (_time, product, kind) =>
        `Mit dieser E-Mail-Adresse wurde ein Code angefordert, aber auf der Seite für eine andere Art von Konto. Deshalb haben wir keinen gesendet. Ihr Konto bei ${product}: ${kind}.`,
      advice: () =>
        'Melden Sie sich auf der Seite für dieses Konto an. Falls Sie keinen Code angefordert haben, können Sie diese E-Mail ignorieren. Es ändert sich nichts.',
    },
  },
  support: (product, support) => `Bitte wenden Sie sich an den Support von ${product}: ${support}`,
};
