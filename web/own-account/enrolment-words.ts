import { defineWords } from '../words/define-words.ts';

export const ENROLMENT = defineWords({
  en: {
    enrolment: 'Protect your account',
    enrolmentHint:
      'Your role requires a second step. Set up an authenticator app or add a passkey to continue.',
  },
  de: {
    enrolment: 'Konto schützen',
    enrolmentHint:
      'Für Ihre Rolle ist ein zweiter Schritt vorgeschrieben. Richten Sie eine Authenticator-App oder einen Passkey ein, um fortzufahren.',
  },
});
