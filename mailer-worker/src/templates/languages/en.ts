import type { AccountTexts } from './account-texts.ts';

export const en: AccountTexts = {
  verificationCode: {
    subject: 'Your verification code',
    summary: (code, product) => `${code} is your verification code for ${product}.`,
    instruction: (product) => `Enter this code at ${product} to verify your e-mail address.`,
  },
  resetPasswordCode: {
    subject: 'Your code to reset the password',
    summary: (code, product) => `${code} is your code to reset the password for ${product}.`,
    instruction: (product) => `Enter this code at ${product} to choose a new password.`,
  },
  validity: (until) => `It is valid for 15 minutes, until ${until}.`,
  notRequested:
    'If you did not request this code, ignore this mail: nothing changes, and nobody else has the code.',
  passwordChanged: {
    subject: 'Your password was changed',
    notice: (time, product) =>
      `The password of your ${product} account was changed on ${time}. Other devices were signed out.`,
    advice: 'If it was not you, reset the password now: on the sign-in page, choose “Forgot password”.',
  },
};
