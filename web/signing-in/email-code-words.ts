import { defineWords } from '../words/define-words.ts';

export const EMAIL_CODE = defineWords({
  en: {
    codeLead: 'Enter your email and we’ll send you a code.',
    sendCode: 'Send code',
    sendingCode: 'Sending the code …',
    usePassword: 'Use your password instead',
  },
  de: {
    codeLead: 'Geben Sie Ihre E-Mail-Adresse ein. Wir senden Ihnen einen Code.',
    sendCode: 'Code senden',
    sendingCode: 'Code wird gesendet …',
    usePassword: 'Stattdessen Passwort verwenden',
  },
});
