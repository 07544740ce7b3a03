import type { Language } from '@platform/shared/http/language';

/** The notice of a sign-in from a new device, which lists facts. */
type NewDeviceTexts = {
  subject: (device: string) => string;
  headline: string;
  notice: (product: string) => string;
  advice: string;
  labels: { device: string; time: string; network: string; methods: string };
  unknownDevice: string;
  /** Within a list, so without a capital letter where the language has none. */
  methods: Readonly<Record<string, string>>;
};

/** A language without texts does not compile. */
export const NEW_DEVICE_TEXTS: Readonly<Record<Language, NewDeviceTexts>> = {
  en: {
    subject: (device) => `New sign-in: ${device}`,
    headline: 'New sign-in to your account',
    notice: (product) =>
      `Someone signed in to your ${product} account from a new device. If this was you, there is nothing to do.`,
    advice: 'Wasn’t you? Sign this device out and change your password.',
    labels: { device: 'Device', time: 'Time', network: 'Network', methods: 'Signed in with' },
    unknownDevice: 'Unknown device',
    methods: {
      password: 'password',
      'email-code': 'code by email',
      totp: 'app',
      'recovery-code': 'recovery code',
      passkey: 'passkey',
      mfa: 'the provider’s second factor',
    },
  },
  de: {
    subject: (device) => `Neue Anmeldung: ${device}`,
    headline: 'Neue Anmeldung in Ihrem Konto',
    notice: (product) =>
      `Jemand hat sich mit einem neuen Gerät in Ihrem Konto bei ${product} angemeldet. Wenn Sie das waren, müssen Sie nichts tun.`,
    advice: 'Das waren nicht Sie? Melden Sie dieses Gerät ab, und ändern Sie Ihr Passwort.',
    labels: { device: 'Gerät', time: 'Zeit', network: 'Netzwerk', methods: 'Angemeldet mit' },
    unknownDevice: 'Unbekanntes Gerät',
    methods: {
      password: 'Passwort',
      'email-code': 'Code per E-Mail',
      totp: 'App',
      'recovery-code': 'Wiederherstellungscode',
      passkey: 'Passkey',
      mfa: 'zweiter Faktor des Anbieters',
    },
  },
};
