import { defineWords } from '../words/define-words.ts';

export const KINDS = defineWords({
  en: {
    chooseKind: 'Choose an account',
    chooseKindHint: 'They are separate, even with the same email.',
    chooseKindOfPassword: 'Change the password of which account?',
    notSignedIn: 'Not signed in',
  },
  de: {
    chooseKind: 'Konto auswählen',
    chooseKindHint: 'Sie sind getrennt, auch mit derselben E-Mail-Adresse.',
    chooseKindOfPassword: 'Für welches Konto möchten Sie das Passwort ändern?',
    notSignedIn: 'Nicht angemeldet',
  },
});
