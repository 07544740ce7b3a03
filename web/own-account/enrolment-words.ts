import { defineWords } from '../words/define-words.ts';

export const ENROLMENT = defineWords({
  en: {
    enrolment: 'Protect your account',
    enrolmentHint:
      'Your role needs a second step at sign-in. Set up an authenticator app or add a passkey, then everything else opens.',
    verifyFirst: 'Verify your e-mail address first.',
  },
  de: {
    enrolment: 'Konto schützen',
    enrolmentHint:
      'Ihre Rolle verlangt einen zweiten Schritt bei der Anmeldung. Richten Sie eine Authenticator-App ein oder fügen Sie einen Passkey hinzu, dann öffnet sich alles Weitere.',
    verifyFirst: 'Bestätigen Sie zuerst Ihre E-Mail-Adresse.',
  },
});
