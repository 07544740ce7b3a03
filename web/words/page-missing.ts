import { defineWords } from './define-words.ts';

export const PAGE_MISSING = defineWords({
  en: {
    pageMissing: 'This page doesn’t exist',
    pageMissingHint: 'The address may be mistyped, or the page has moved.',
    toAccount: 'Go to your account',
  },
  de: {
    pageMissing: 'Diese Seite gibt es nicht',
    pageMissingHint: 'Vielleicht ist die Adresse falsch geschrieben, oder die Seite ist umgezogen.',
    toAccount: 'Zu Ihrem Konto',
  },
});
