import { defineWords } from '../words/define-words.ts';

export const VERIFICATION = defineWords({
  en: {
    verify: 'Verify your email',
    later: 'Verify later',
    enterThere: 'Enter this code where you signed up:',
    orSignIn: 'or sign in here',
    verifiedElsewhere: 'Your email was verified on another device. Sign in to go on.',
    verifiedNow: 'Your email is verified.',
    correctLead: 'Enter the right address, and we’ll send a code there.',
  },
  de: {
    verify: 'E‑Mail‑Adresse bestätigen',
    later: 'Später bestätigen',
    enterThere: 'Geben Sie diesen Code dort ein, wo Sie das Konto erstellt haben:',
    orSignIn: 'oder hier anmelden',
    verifiedElsewhere:
      'Ihre E-Mail-Adresse wurde auf einem anderen Gerät bestätigt. Bitte melden Sie sich an, um weiterzumachen.',
    verifiedNow: 'Ihre E-Mail-Adresse ist bestätigt.',
    correctLead: 'Geben Sie die richtige Adresse ein. Wir senden den Code dorthin.',
  },
});
