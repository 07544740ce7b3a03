import { defineWords } from '../words/define-words.ts';

export const ACCOUNT = defineWords({
  en: {
    signedInAs: (email: string) => `You are signed in as ${email}.`,
    goOn: 'Continue',
    goingOn: 'Continuing …',
    useAnother: 'Use another account',
    signingOut: 'Signing out …',
    noAccount: 'No account yet?',
    signUp: 'Create account',
    signIn: 'Sign in',
    notNow: 'Not now',
  },
  de: {
    signedInAs: (email) => `Sie sind als ${email} angemeldet.`,
    goOn: 'Weiter',
    goingOn: 'Einen Moment …',
    useAnother: 'Anderes Konto verwenden',
    signingOut: 'Wird abgemeldet …',
    noAccount: 'Noch kein Konto?',
    signUp: 'Konto erstellen',
    signIn: 'Anmelden',
    notNow: 'Jetzt nicht',
  },
});
