import { defineWords } from './define-words.ts';

export const PAGE_MISSING = defineWords({
  en: {
    pageMissing: 'This page does not exist',
    pageMissingHint: 'The address may be mistyped, or what it showed has been moved.',
  },
  de: {
    pageMissing: 'Diese Seite gibt es nicht',
    pageMissingHint: 'Vielleicht ist die Adresse falsch geschrieben, oder der Inhalt wurde verschoben.',
  },
});
