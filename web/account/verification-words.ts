import { defineWords } from '../words/define-words.ts';

export const VERIFICATION = defineWords({
  en: {
    verify: 'Verify your email',
    later: 'Verify later',
  },
  de: {
    verify: 'E-Mail-Adresse bestätigen',
    later: 'Später bestätigen',
  },
});
