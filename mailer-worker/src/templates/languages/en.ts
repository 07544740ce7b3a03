import type { AccountTexts } from './account-texts.ts';

const changePassword = () =>
  'If it was not you, change your password now and check the second factors of your account.';

export const en: AccountTexts = {
  codes: {
    'verification-code': {
      subject: 'Your verification code',
      summary: (code, product) => `${code} is your verification code for ${product}.`,
      instruction: (product) => `Enter this code at ${product} to verify your e-mail address.`,
    },
    'reset-password-code': {
      subject: 'Your code to reset the password',
      summary: (code, product) => `${code} is your code to reset the password for ${product}.`,
      instruction: (product) => `Enter this code at ${product} to choose a new password.`,
    },
    'email-change-code': {
      subject: 'Your code to confirm this e-mail address',
      summary: (code, product) => `${code} is your code to confirm this e-mail address for ${product}.`,
      instruction: (product) =>
        `Enter this code at ${product} to make this the e-mail address of your account.`,
    },
  },
  validity: (until) => `It is valid for 15 minutes, until ${until}.`,
  notRequested:
    'If you did not request this code, ignore this mail: nothing changes, and nobody else has the code.',
  notices: {
    'password-changed': {
      subject: 'Your password was changed',
      notice: (time, product) =>
        `The password of your ${product} account was changed on ${time}. Other devices were signed out.`,
      advice: () =>
        'If it was not you, reset the password now: on the sign-in page, choose “Forgot password”.',
    },
    'email-change-requested': {
      subject: 'A change of your e-mail address was requested',
      notice: (time, product) =>
        `A new e-mail address was requested for your ${product} account on ${time}, with its password. Nothing changes until the new address is confirmed with a code.`,
      advice: () => 'If it was not you, change your password now: this also cancels the request.',
    },
    'email-changed': {
      subject: 'Your e-mail address was changed',
      notice: (time, product) =>
        `Your ${product} account has a new e-mail address since ${time}: sign in with the new one from now on. Other devices were signed out.`,
      advice: (product) =>
        `If it was not you, contact the support of ${product} now: this address can no longer reset the password.`,
    },
    'account-deleted': {
      subject: 'Your account was deleted',
      notice: (time, product) =>
        `Your ${product} account was deleted on ${time}. Your personal data was removed, and all devices were signed out.`,
      advice: (product) => `If it was not you, contact the support of ${product} now.`,
    },
  },
  secondFactorChanges: {
    'totp-enabled': {
      subject: 'An authenticator app was added',
      notice: (time, product) =>
        `Since ${time}, signing in to your ${product} account needs a code of your authenticator app. Keep the ten recovery codes in a safe place: each one replaces the app once. Other devices were signed out.`,
      advice: changePassword,
    },
    'totp-disabled': {
      subject: 'The authenticator app was removed',
      notice: (time, product) =>
        `The authenticator app of your ${product} account was removed on ${time}. Other devices were signed out.`,
      advice: changePassword,
    },
    'passkey-added': {
      subject: 'A passkey was added',
      notice: (time, product) =>
        `A passkey was added to your ${product} account on ${time}. Other devices were signed out.`,
      advice: changePassword,
    },
    'passkey-removed': {
      subject: 'A passkey was removed',
      notice: (time, product) =>
        `A passkey of your ${product} account was removed on ${time}. Other devices were signed out.`,
      advice: changePassword,
    },
    'recovery-codes-replaced': {
      subject: 'Your recovery codes were replaced',
      notice: (time, product) =>
        `Your ${product} account has ten new recovery codes since ${time}. The earlier ones are no longer valid. Other devices were signed out.`,
      advice: changePassword,
    },
    'recovery-code-used': {
      subject: 'A recovery code was used',
      notice: (time, product) =>
        `One of the recovery codes of your ${product} account was used on ${time}. It is no longer valid. Your account shows how many are left; create new ones before the last is used.`,
      advice: changePassword,
    },
    'reset-by-administrator': {
      subject: 'Your second factors were removed by an administrator',
      notice: (time, product) =>
        `An administrator of ${product} removed all second factors of your account on ${time}. All devices were signed out. Sign in with your password, and add a second factor again.`,
      advice: (product) =>
        `If you did not request this, change your password and contact the support of ${product} now.`,
    },
  },
  newDevice: {
    subject: 'Sign-in from a new device',
    notice: (time, address, product) =>
      `Your ${product} account was signed in from a new device on ${time}. Its IP address is ${address}.`,
    advice: () =>
      'If it was you, there is nothing to do. If it was not you, end this session in the list of your sessions and change your password now, which signs out all other devices.',
  },
  emailChangeTaken: {
    subject: 'Your e-mail address already has an account',
    notice: (product) =>
      `Someone asked to use this e-mail address for another ${product} account. It already belongs to an account, so nothing changes.`,
    advice: () =>
      'If it was you, sign in with this address, or choose another one for your other account. If it was not you, ignore this mail.',
  },
};
