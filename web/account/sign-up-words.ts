import { defineWords } from '../words/define-words.ts';

export const SIGN_UP = defineWords({
  en: {
    signingUp: 'Creating the account …',
    haveAccount: 'Already have an account?',
    signInThere: 'Sign in to it',
    email: 'E-mail',
    emailInvalid: 'Enter an address such as name@example.com.',
    password: 'Password',
    passwordHint: 'At least 8 characters.',
    passwordInvalid: 'Enter at least 8 characters.',
    firstName: 'First name',
    lastName: 'Last name',
    agreeTo: 'By creating an account you agree to:',
    terms: 'Terms',
    privacy: 'Privacy',
  },
  de: {
    signingUp: 'Konto wird erstellt …',
    haveAccount: 'Sie haben schon ein Konto?',
    signInThere: 'Dort anmelden',
    email: 'E-Mail',
    emailInvalid: 'Geben Sie eine Adresse wie name@example.com ein.',
    password: 'Passwort',
    passwordHint: 'Mindestens 8 Zeichen.',
    passwordInvalid: 'Geben Sie mindestens 8 Zeichen ein.',
    firstName: 'Vorname',
    lastName: 'Nachname',
    agreeTo: 'Mit dem Konto stimmen Sie zu:',
    terms: 'Nutzungsbedingungen',
    privacy: 'Datenschutz',
  },
});
