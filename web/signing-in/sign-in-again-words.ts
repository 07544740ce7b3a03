import { defineWords } from '../words/define-words.ts';

export const SIGN_IN_AGAIN = defineWords({
  en: {
    signInAgainHint: (email: string) =>
      `Your session has ended. Sign in as ${email}, and go on where you are: nothing you typed is lost.`,
    signInAgainProof: (email: string) => `Sign in again as ${email} to confirm that it is you.`,
    useAnother: 'Use another account',
  },
  de: {
    signInAgainHint: (email) =>
      `Ihre Sitzung ist beendet. Melden Sie sich als ${email} an und machen Sie hier weiter: Ihre Eingaben bleiben erhalten.`,
    signInAgainProof: (email) =>
      `Melden Sie sich erneut als ${email} an, um zu bestätigen, dass Sie es sind.`,
    useAnother: 'Anderes Konto verwenden',
  },
});
