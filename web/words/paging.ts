import { defineWords } from './define-words.ts';

export const PAGING = defineWords({
  en: {
    rangeOf: (range: string, total: string) => `${range} of ${total}`,
    pageSize: 'Rows a page',
    perPage: (count: string) => `${count} a page`,
    first: 'First page',
    previous: 'Previous page',
    next: 'Next page',
    last: 'Last page',
    pageOf: (page: string, pages: string) => `Page ${page} of ${pages}`,
  },
  de: {
    rangeOf: (range, total) => `${range} von ${total}`,
    pageSize: 'Zeilen je Seite',
    perPage: (count) => `${count} je Seite`,
    first: 'Erste Seite',
    previous: 'Vorige Seite',
    next: 'Nächste Seite',
    last: 'Letzte Seite',
    pageOf: (page, pages) => `Seite ${page} von ${pages}`,
  },
});
