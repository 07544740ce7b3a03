import { defineWords } from './define-words.ts';

export const NEW_PASSWORD = defineWords({
  en: {
    length: 'At least 8 characters',
    tooShort: 'Enter at least 8 characters.',
    strength: { short: 'Too short', guessable: 'Easy to guess', long: 'Long enough' },
  },
  de: {
    length: 'Mindestens 8 Zeichen',
    tooShort: 'Bitte geben Sie mindestens 8 Zeichen ein.',
    strength: { short: 'Zu kurz', guessable: 'Leicht zu erraten', long: 'Lang genug' },
  },
});
