import { defineWords } from '../words/define-words.ts';

/** Where somebody is signed in already, and goes on. */
export const CONTINUE = defineWords({
  en: {
    signedInAs: (email: string) => `You are signed in as ${email}.`,
    goOn: 'Continue',
    goingOn: 'Continuing …',
    useAnother: 'Use another account',
    signingOut: 'Signing out …',
    notNow: 'Not now',
  },
  de: {
    signedInAs: (email) => `Sie sind als ${email} angemeldet.`,
    goOn: 'Weiter',
    goingOn: 'Einen Moment …',
    useAnother: 'Anderes Konto verwenden',
    signingOut: 'Wird abgemeldet …',
    notNow: 'Jetzt nicht',
  },
});
