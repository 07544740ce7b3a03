import { defineWords } from '../words/define-words.ts';

export const CALLBACK = defineWords({
  en: {
    waiting: 'Signing in',
    notConnected: (provider: string) => `Connecting ${provider} failed`,
    toAccount: 'Go to your account',
    callbackMissing: 'This sign-in is no longer valid. Start again.',
    denied: (provider: string) => `You cancelled at ${provider}, or it refused the sign-in.`,
    unverified: (provider: string) => `Verify your email at ${provider} first.`,
    connectTitle: (provider: string) => `Connect ${provider}`,
    accountExists: 'There is already an account for',
    accountExistsNobody: 'There is already an account with your address.',
    existsNext: (provider: string) => `Sign in to it once. After that, ${provider} signs you in too.`,
    signInConnect: 'Sign in and connect',
    connected: (provider: string) => `${provider} is connected. Your other devices are signed out.`,
  },
  de: {
    waiting: 'Anmeldung läuft',
    notConnected: (provider) => `Verbindung mit ${provider} fehlgeschlagen`,
    toAccount: 'Zu Ihrem Konto',
    callbackMissing: 'Diese Anmeldung ist nicht mehr gültig. Bitte beginnen Sie von vorn.',
    denied: (provider) => `Sie haben bei ${provider} abgebrochen, oder die Anmeldung wurde dort abgelehnt.`,
    unverified: (provider) => `Bitte bestätigen Sie zuerst Ihre E-Mail-Adresse bei ${provider}.`,
    connectTitle: (provider) => `${provider} verbinden`,
    accountExists: 'Es gibt schon ein Konto für',
    accountExistsNobody: 'Es gibt schon ein Konto mit Ihrer Adresse.',
    existsNext: (provider) =>
      `Melden Sie sich einmal damit an. Danach können Sie sich auch mit ${provider} anmelden.`,
    signInConnect: 'Anmelden und verbinden',
    connected: (provider) => `${provider} ist verbunden. Ihre anderen Geräte wurden abgemeldet.`,
  },
});
