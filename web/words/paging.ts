import { defineWords } from './define-words.ts';

export const PAGING = defineWords({
  en: {
    rangeOf: (range: string, total: string) => `${range} of ${total}`,
    pageSize: 'Rows a page',
    perPage: (count: string) => `${count} a page`,
    previous: 'Previous',
    next: 'Next',
  },
  de: {
    rangeOf: (range, total) => `${range} von ${total}`,
    pageSize: 'Zeilen je Seite',
    perPage: (count) => `${count} je Seite`,
    previous: 'Zurück',
    next: 'Weiter',
  },
});
