import { defineWords } from '../words/define-words.ts';

export const VERIFICATION = defineWords({
  en: {
    verify: 'Verify your e-mail address',
    codeSent: (email: string) =>
      `A mail with a code is on its way to ${email}. The code is valid for 15 minutes.`,
    sendingCode: 'Sending the code …',
    mailCode: 'Code from the mail',
    mailCodeInvalid: 'Enter the six digits of the mail.',
    verifyButton: 'Verify',
    verifying: 'Verifying …',
    later: 'Verify later',
  },
  de: {
    verify: 'E-Mail-Adresse bestätigen',
    codeSent: (email) => `Eine E-Mail mit einem Code ist unterwegs an ${email}. Der Code gilt 15 Minuten.`,
    sendingCode: 'Code wird gesendet …',
    mailCode: 'Code aus der E-Mail',
    mailCodeInvalid: 'Geben Sie die sechs Ziffern aus der E-Mail ein.',
    verifyButton: 'Bestätigen',
    verifying: 'Wird bestätigt …',
    later: 'Später bestätigen',
  },
});
