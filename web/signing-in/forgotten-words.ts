import { defineWords } from '../words/define-words.ts';

export const FORGOTTEN = defineWords({
  en: {
    backToSignIn: 'Back to sign-in',
    lead: 'Enter your email and we’ll send you a code.',
    sendCode: 'Send code',
    sending: 'Sending …',
    newPassword: 'New password',
    resetAll: 'You will be signed out on all other devices.',
    setPassword: 'Set password and sign in',
    settingPassword: 'Setting password …',
  },
  de: {
    backToSignIn: 'Zurück zur Anmeldung',
    lead: 'Geben Sie Ihre E-Mail-Adresse ein. Wir senden Ihnen einen Code.',
    sendCode: 'Code senden',
    sending: 'Wird gesendet …',
    newPassword: 'Neues Passwort',
    resetAll: 'Auf allen anderen Geräten werden Sie abgemeldet.',
    setPassword: 'Passwort festlegen und anmelden',
    settingPassword: 'Passwort wird festgelegt …',
  },
});
