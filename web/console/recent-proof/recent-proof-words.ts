import { defineWords } from '../../words/define-words.ts';

export const RECENT_PROOF = defineWords({
  en: {
    title: 'Confirm that it is you',
    text: 'You signed in some time ago. Once you have confirmed, the action goes on by itself.',
    confirm: 'Confirm',
    confirming: 'Confirming …',
  },
  de: {
    title: 'Bestätigen Sie, dass Sie es sind',
    text: 'Ihre Anmeldung liegt einige Zeit zurück. Nach der Bestätigung geht es von selbst weiter.',
    confirm: 'Bestätigen',
    confirming: 'Wird bestätigt …',
  },
});
