import { defineWords } from '../words/define-words.ts';

export const SECOND_STEP = defineWords({
  en: {
    appCode: 'Code from the authenticator app',
    appCodeInvalid: 'Enter the six digits that the app shows.',
    recoveryCode: 'Recovery code',
    recoveryCodeHint: 'Each of the codes you saved works once.',
    useAppCode: 'Use the authenticator app',
    useRecoveryCode: 'Use a recovery code',
    next: 'Continue',
    checking: 'Checking …',
  },
  de: {
    appCode: 'Code aus der Authenticator-App',
    appCodeInvalid: 'Geben Sie die sechs Ziffern ein, die die App anzeigt.',
    recoveryCode: 'Wiederherstellungscode',
    recoveryCodeHint: 'Jeder Ihrer gespeicherten Codes gilt einmal.',
    useAppCode: 'Authenticator-App verwenden',
    useRecoveryCode: 'Wiederherstellungscode verwenden',
    next: 'Weiter',
    checking: 'Wird geprüft …',
  },
});
