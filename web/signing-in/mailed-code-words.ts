import { defineWords } from '../words/define-words.ts';

export const MAILED_CODE = defineWords({
  en: {
    maybeSentTo: 'If there’s an account for this address, we sent a 6-digit code to',
    newDevice: (email: string) => `You're signing in on a new device. We sent a 6-digit code to ${email}.`,
    codeLead: 'Enter your email and we’ll send you a code.',
    code: '6-digit code',
    codeMissing: 'Enter the 6-digit code from the email.',
    sendCode: 'Send code',
    sendingCode: 'Sending the code …',
    checking: 'Checking …',
    spam: 'Nothing there? Look in your spam folder.',
    wrongAddress: 'Wrong address?',
    changeIt: 'Change it',
    usePassword: 'Use your password instead',
  },
  de: {
    maybeSentTo: 'Falls es zu dieser Adresse ein Konto gibt, ist ein 6-stelliger Code unterwegs an',
    newDevice: (email) =>
      `Sie melden sich auf einem neuen Gerät an. Wir haben einen 6-stelligen Code an ${email} gesendet.`,
    codeLead: 'Geben Sie Ihre E-Mail-Adresse ein. Wir senden Ihnen einen Code.',
    code: '6-stelliger Code',
    codeMissing: 'Bitte geben Sie den 6-stelligen Code aus der E-Mail ein.',
    sendCode: 'Code senden',
    sendingCode: 'Code wird gesendet …',
    checking: 'Wird geprüft …',
    spam: 'Keine E-Mail? Sehen Sie im Spam-Ordner nach.',
    wrongAddress: 'Falsche Adresse?',
    changeIt: 'Ändern',
    usePassword: 'Stattdessen Passwort verwenden',
  },
});
