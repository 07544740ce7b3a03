import { defineWords } from '../words/define-words.ts';

export const CALLBACK = defineWords({
  en: {
    waiting: 'Signing in',
    notConnected: 'Not connected',
    toAccount: 'Go to your account',
    callbackMissing: 'There is nothing to complete here. Start the sign-in again.',
    accountExists:
      'There is already an account with this address. Sign in to it with its password or a passkey, and then connect the provider.',
    connected: (provider: string) => `${provider} is connected. Your other devices are signed out.`,
  },
  de: {
    waiting: 'Anmeldung läuft',
    notConnected: 'Nicht verbunden',
    toAccount: 'Zu Ihrem Konto',
    callbackMissing: 'Hier gibt es nichts abzuschließen. Beginnen Sie die Anmeldung neu.',
    accountExists:
      'Zu dieser Adresse gibt es bereits ein Konto. Melden Sie sich dort mit Passwort oder Passkey an und verbinden Sie danach den Anbieter.',
    connected: (provider) => `${provider} ist verbunden. Ihre anderen Geräte sind abgemeldet.`,
  },
});
