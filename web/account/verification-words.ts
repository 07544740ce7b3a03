import { defineWords } from '../words/define-words.ts';

export const VERIFICATION = defineWords({
  en: {
    verify: 'Verify your email',
    later: 'Verify later',
    verifiedNow: 'Your email is verified.',
    correctLead: 'Enter the right address, and we’ll send a code there.',
    sendCode: 'Send code',
    sending: 'Sending …',
  },
  de: {
    verify: 'E-Mail-Adresse bestätigen',
    later: 'Später bestätigen',
    verifiedNow: 'Ihre E-Mail-Adresse ist bestätigt.',
    correctLead: 'Geben Sie die richtige Adresse ein. Wir senden den Code dorthin.',
    sendCode: 'Code senden',
    sending: 'Wird gesendet …',
  },
});
