import type { AccountTexts } from './account-texts.ts';

/** Also fits accounts without a password, because a reset sets one. */
export const CHANGE = 'change your password now, or reset it with “Forgot password?” on the sign-in page';

export const CODES: AccountTexts['codes'] = {
  'verification-code': {
    title: 'Verify your email',
    summary: (code, product) => `${code} is your verification code for ${product}.`,
  },
  'reset-password-code': {
    title: 'Your code to reset the password',
    summary: (code, product) => `${code} is your code to reset the password for ${product}.`,
  },
  'email-change-code': {
    title: 'Confirm your new email',
    summary: (code, product) => `${code} is your code to confirm this email for ${product}.`,
    effect: (product) => `After that, you sign in to your ${product} account with this address.`,
  },
  'sign-in-code': {
    title: 'Your sign-in code',
    summary: (code, product) => `${code} is your sign-in code for ${product}.`,
  },
  'new-device-code': {
    title: 'Your code for a new device',
    summary: (code, product) => `${code} is your code to sign in to ${product} on a new device.`,
    notRequested: `If this was not you, somebody knows your password, but cannot sign in without this code: ${CHANGE}.`,
  },
};
