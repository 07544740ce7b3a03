import { defineWords } from '../words/define-words.ts';

/** The question to a person who is signed in already: go on, or use another account. */
export const CONTINUE = defineWords({
  en: {
    welcome: 'Welcome back',
    signedInAs: 'You are already signed in on this device.',
    linkIsFor: (email: string) =>
      `This link is for ${email}. On this device you’re signed in with another account.`,
    signUpAnother: 'Creating another account signs you out here.',
    goOn: (who: string) => `Continue as ${who}`,
    goingOn: 'Continuing …',
  },
  de: {
    welcome: 'Willkommen zurück',
    signedInAs: 'Sie sind auf diesem Gerät schon angemeldet.',
    linkIsFor: (email) =>
      `Dieser Link ist für ${email}. Auf diesem Gerät sind Sie mit einem anderen Konto angemeldet.`,
    signUpAnother: 'Wenn Sie ein weiteres Konto erstellen, werden Sie hier abgemeldet.',
    goOn: (who) => `Weiter als ${who}`,
    goingOn: 'Einen Moment …',
  },
});
