import { defineWords } from '../words/define-words.ts';

export const FORGOTTEN = defineWords({
  en: {
    forgottenHint: 'A code to set a new password is sent to your address.',
    sendCode: 'Send code',
    sendingCode: 'Sending …',
    sendCodeAgain: 'Send another code',
    codeSent: (email: string) =>
      `If there is an account for ${email}, a mail with a code is on its way. The code is valid for 15 minutes.`,
    mailCode: 'Code from the mail',
    mailCodeInvalid: 'Enter the six digits of the mail.',
    newPassword: 'New password',
    passwordHint: 'At least 8 characters.',
    passwordInvalid: 'Enter at least 8 characters.',
    setPassword: 'Set password and sign in',
    settingPassword: 'Setting the password …',
  },
  de: {
    forgottenHint: 'Wir senden Ihnen einen Code, mit dem Sie ein neues Passwort setzen.',
    sendCode: 'Code senden',
    sendingCode: 'Wird gesendet …',
    sendCodeAgain: 'Neuen Code senden',
    codeSent: (email) =>
      `Wenn es zu ${email} ein Konto gibt, ist eine E-Mail mit einem Code unterwegs. Der Code gilt 15 Minuten.`,
    mailCode: 'Code aus der E-Mail',
    mailCodeInvalid: 'Geben Sie die sechs Ziffern aus der E-Mail ein.',
    newPassword: 'Neues Passwort',
    passwordHint: 'Mindestens 8 Zeichen.',
    passwordInvalid: 'Geben Sie mindestens 8 Zeichen ein.',
    setPassword: 'Passwort setzen und anmelden',
    settingPassword: 'Passwort wird gesetzt …',
  },
});
