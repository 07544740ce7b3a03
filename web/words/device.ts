import { describeDevice } from '@platform/client/device-name';
import { defineWords } from './define-words.ts';
import { formatList } from './formats.ts';
import { getWords } from './words.ts';

const DEVICES = defineWords({
  en: {
    on: (browser: string, system: string) => `${browser} on ${system}`,
    unknown: 'Unknown device',
    methods: {
      password: 'password',
      totp: 'app',
      'recovery-code': 'recovery code',
      passkey: 'passkey',
      'email-code': 'code from the email',
      mfa: 'second factor of the provider',
    } as Readonly<Record<string, string>>,
  },
  de: {
    on: (browser, system) => `${browser} auf ${system}`,
    unknown: 'Unbekanntes Gerät',
    methods: {
      password: 'Passwort',
      totp: 'App',
      'recovery-code': 'Wiederherstellungscode',
      passkey: 'Passkey',
      'email-code': 'Code aus der E-Mail',
      mfa: 'zweiter Faktor des Anbieters',
    },
  },
});

type Session = { userAgent: string | null; methods: readonly string[] };

export const nameOfDevice = ({ userAgent }: Pick<Session, 'userAgent'>): string => {
  const { on, unknown } = getWords(DEVICES);
  return describeDevice(userAgent, on) ?? unknown;
};

/** The device of a sign-in in the log; undefined for other records. */
export const nameOfRecordedDevice = (details: Readonly<Record<string, unknown>>): string | undefined => {
  const { userAgent } = details;
  return typeof userAgent === 'string' ? nameOfDevice({ userAgent }) : undefined;
};

export const listMethods = ({ methods }: Pick<Session, 'methods'>): string => {
  const words = getWords(DEVICES).methods;
  return methods.map((method) => words[method] ?? method.replace('oidc:', '')).join(', ');
};

/** How somebody signed in, as the beginning of a line: `Password and app`. */
export const describeMethods = (
  { methods }: Pick<Session, 'methods'>,
  nameOfProvider: (id: string) => string,
): string => {
  const words = getWords(DEVICES).methods;
  const names = methods.map((method) => words[method] ?? nameOfProvider(method.replace('oidc:', '')));
  const [first = '', ...rest] = formatList(names);
  return first.toUpperCase() + rest.join('');
};
