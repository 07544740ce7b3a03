import { defineWords } from '../words/define-words.ts';

export const KINDS = defineWords({
  en: {
    chooseKind: 'Choose an account',
    chooseKindHint: 'Customers and employees have separate accounts.',
    chooseKindOfPassword: 'Change the password of which account?',
    customer: 'Customer account',
    employee: 'Employee account',
    notSignedIn: 'Not signed in',
  },
  de: {
    chooseKind: 'Konto auswählen',
    chooseKindHint: 'Kunden und Mitarbeiter haben getrennte Konten.',
    chooseKindOfPassword: 'Für welches Konto möchten Sie das Passwort ändern?',
    customer: 'Kundenkonto',
    employee: 'Mitarbeiterkonto',
    notSignedIn: 'Nicht angemeldet',
  },
});
