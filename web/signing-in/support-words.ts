import { defineWords } from '../words/define-words.ts';

export const SUPPORT = defineWords({
  en: {
    contactSupport: 'Contact support',
    blocked: 'Your account is blocked',
    blockedText: (email: string) =>
      `You cannot sign in with ${email} at the moment. Our support can tell you why.`,
    blockedTextNobody: 'You cannot sign in at the moment. Our support can tell you why.',
  },
  de: {
    contactSupport: 'Support kontaktieren',
    blocked: 'Ihr Konto ist gesperrt',
    blockedText: (email) =>
      `Mit ${email} ist zurzeit keine Anmeldung möglich. Unser Support nennt Ihnen den Grund.`,
    blockedTextNobody: 'Zurzeit ist keine Anmeldung möglich. Unser Support nennt Ihnen den Grund.',
  },
});
