import { defineWords } from '../words/define-words.ts';

export const ACCOUNT = defineWords({
  en: {
    noAccount: 'No account yet?',
    signUp: 'Create account',
    signIn: 'Sign in',
  },
  de: {
    noAccount: 'Noch kein Konto?',
    signUp: 'Konto erstellen',
    signIn: 'Anmelden',
  },
});
