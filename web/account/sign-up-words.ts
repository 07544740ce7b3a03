import { defineWords } from '../words/define-words.ts';

export const SIGN_UP = defineWords({
  en: {
    title: 'Create your account',
    signUp: 'Create account',
    signingUp: 'Creating account …',
    checkingBot: 'Making sure you’re human …',
    haveAccount: 'Already have an account?',
    orEmail: 'or with your email',
    taken: 'There’s already an account with this email.',
    signInThere: 'Sign in instead',
    firstName: 'First name',
    lastName: 'Last name',
    agree: {
      both: 'By creating an account you agree to the [terms] and acknowledge the [privacy].',
      terms: 'By creating an account you agree to the [terms].',
      privacy: 'By creating an account you acknowledge the [privacy].',
    },
    terms: 'Terms',
    privacy: 'Privacy Policy',
  },
  de: {
    title: 'Konto erstellen',
    signUp: 'Konto erstellen',
    signingUp: 'Konto wird erstellt …',
    checkingBot: 'Wir prüfen, ob Sie ein Mensch sind …',
    haveAccount: 'Sie haben schon ein Konto?',
    orEmail: 'oder mit Ihrer E-Mail-Adresse',
    taken: 'Zu dieser Adresse gibt es schon ein Konto.',
    signInThere: 'Stattdessen anmelden',
    firstName: 'Vorname',
    lastName: 'Nachname',
    agree: {
      both: 'Mit „Konto erstellen“ akzeptieren Sie die [terms]. Es gilt die [privacy].',
      terms: 'Mit „Konto erstellen“ akzeptieren Sie die [terms].',
      privacy: 'Es gilt die [privacy].',
    },
    terms: 'Nutzungsbedingungen',
    privacy: 'Datenschutzerklärung',
  },
});
