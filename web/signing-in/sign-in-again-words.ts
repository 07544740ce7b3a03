import { defineWords } from '../words/define-words.ts';

export const SIGN_IN_AGAIN = defineWords({
  en: {
    ended: 'Your session has ended',
    endedText: 'Sign in again to go on. What you typed is kept, but not saved yet.',
    endedFailed: 'If this keeps failing, the account may no longer exist.',
    noRole: 'You no longer have a role here.',
    signInAgainProof: 'Sign in again to confirm that it is you.',
  },
  de: {
    ended: 'Ihre Sitzung ist abgelaufen',
    endedText:
      'Melden Sie sich erneut an, um weiterzumachen. Ihre Eingaben sind noch da, aber noch nicht gespeichert.',
    endedFailed: 'Wenn das wiederholt nicht gelingt, gibt es das Konto vielleicht nicht mehr.',
    noRole: 'Sie haben hier keine Rolle mehr.',
    signInAgainProof: 'Melden Sie sich erneut an, um zu bestätigen, dass Sie es sind.',
  },
});
