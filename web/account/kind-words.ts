import { defineWords } from '../words/define-words.ts';

export const KINDS = defineWords({
  en: {
    chooseKind: 'Which account?',
    chooseKindHint: 'Customers and employees have separate accounts.',
    customer: 'Customer account',
    employee: 'Employee account',
  },
  de: {
    chooseKind: 'Welches Konto?',
    chooseKindHint: 'Kunden und Mitarbeiter haben getrennte Konten.',
    customer: 'Kundenkonto',
    employee: 'Mitarbeiterkonto',
  },
});
