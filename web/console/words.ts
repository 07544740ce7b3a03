import { defineWords } from '../words/words.ts';

export const CONSOLE = defineWords({
  en: {
    workspace: 'Workspace',
    yourAccount: 'Your account',
    roles: { ADMIN: 'Administrator', OPERATOR: 'Operator', ARBITER: 'Arbiter' } as Record<string, string>,
    places: { account: 'your account' },
  },
  de: {
    workspace: 'Arbeitsbereich',
    yourAccount: 'Ihr Konto',
    roles: { ADMIN: 'Administrator', OPERATOR: 'Operator', ARBITER: 'Schlichter' },
    places: { account: 'Ihr Konto' },
  },
});
