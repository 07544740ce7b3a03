import { defineWords } from '../words/define-words.ts';

export const ACCOUNT = defineWords({
  en: {
    newHere: (product: string) => `New to ${product}?`,
    createOne: 'Create an account',
    signIn: 'Sign in',
    signInOther: 'Sign in there',
    toContinue: (site: string) => `to continue to ${site}`,
    backTo: (site: string) => `Back to ${site}`,
  },
  de: {
    newHere: (product) => `Neu bei ${product}?`,
    createOne: 'Konto erstellen',
    signIn: 'Anmelden',
    signInOther: 'Dort anmelden',
    toContinue: (site) => `Weiter zu ${site}`,
    backTo: (site) => `Zurück zu ${site}`,
  },
});
