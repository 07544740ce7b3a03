import { defineWords } from '../../words/define-words.ts';

export const INVITATION = defineWords({
  en: {
    title: 'Invitation',
    enterCode: 'Enter the code from the invitation’s mail, or open its link again.',
    code: 'Code from the mail',
    next: 'Continue',
    checking: 'Checking …',
    welcome: (email: string, role: string) => `You are invited as ${role}. Your account is ${email}.`,
    validUntil: 'The invitation is valid until',
    password: 'Password',
    passwordHint: 'At least 8 characters.',
    passwordInvalid: 'Enter at least 8 characters.',
    accept: 'Accept and sign in',
    accepting: 'Creating the account …',
    askAgain: 'It may have been used, replaced or withdrawn. Ask for a new invitation.',
    signIn: 'Go to sign-in',
  },
  de: {
    title: 'Einladung',
    enterCode: 'Geben Sie den Code aus der Einladungs-E-Mail ein oder öffnen Sie deren Link noch einmal.',
    code: 'Code aus der E-Mail',
    next: 'Weiter',
    checking: 'Wird geprüft …',
    welcome: (email, role) => `Sie sind als ${role} eingeladen. Ihr Konto ist ${email}.`,
    validUntil: 'Die Einladung gilt bis',
    password: 'Passwort',
    passwordHint: 'Mindestens 8 Zeichen.',
    passwordInvalid: 'Bitte geben Sie mindestens 8 Zeichen ein.',
    accept: 'Annehmen und anmelden',
    accepting: 'Das Konto wird angelegt …',
    askAgain:
      'Möglicherweise wurde sie schon angenommen, ersetzt oder zurückgezogen. Bitten Sie um eine neue Einladung.',
    signIn: 'Zur Anmeldung',
  },
});
