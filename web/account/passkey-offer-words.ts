import { defineWords } from '../words/define-words.ts';

export const PASSKEY_OFFER = defineWords({
  en: {
    title: 'Sign in faster next time',
    lead: 'With a passkey you sign in with your fingerprint, face or screen lock, without typing a password.',
    facts: ['Your fingerprint or face never leaves your device.', 'You can remove the passkey at any time.'],
  },
  de: {
    title: 'Nächstes Mal schneller anmelden',
    lead: 'Mit einem Passkey melden Sie sich per Fingerabdruck, Gesicht oder Displaysperre an, ganz ohne Passwort.',
    facts: [
      'Fingerabdruck und Gesicht bleiben auf Ihrem Gerät.',
      'Sie können den Passkey jederzeit entfernen.',
    ],
  },
});
