import type { AccountTexts } from './account-texts.ts';

/** For accounts without a password too: a reset sets one. */
const CHANGE = 'change your password now, or reset it with “Forgot password” on the sign-in page';
const changePassword = () => `If it was not you, ${CHANGE}, and check the second factors of your account.`;

export const en: AccountTexts = {
  locale: 'en-GB',
  timeZone: 'Coordinated Universal Time (UTC)',
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
        `A new e-mail address was requested for your ${product} account on ${time}. Nothing changes until the new address is confirmed with a code.`,
      advice: () => `If it was not you, ${CHANGE}: this also cancels the request.`,
    },
    'email-changed': {
      subject: 'Your e-mail address was changed',
      notice: (time, product) =>
        `Your ${product} account has a new e-mail address since ${time}: sign in with the new one from now on. Other devices were signed out.`,
      advice: () =>
        'If it was not you, somebody else has access to your account, and this address can no longer reset its password.',
      isForSupport: true,
    },
    'account-deleted': {
      subject: 'Your account was deleted',
      notice: (time, product) =>
        `Your ${product} account was deleted on ${time}. Your personal data was removed, and all devices were signed out.`,
      advice: () => 'If it was not you, somebody else had access to your account.',
      isForSupport: true,
    },
    'wrong-factors': {
      subject: 'Wrong second factors were entered for your account',
      notice: (time, product) =>
        `On ${time}, somebody passed the first step of signing in to your ${product} account, such as its password, and then entered five wrong second factors. They were not signed in.`,
      advice: () => `If it was not you, ${CHANGE}.`,
    },
    'setup-removed': {
      subject: 'Earlier settings of your account were removed',
      notice: (time, product) =>
        `This address was verified for your ${product} account on ${time}. Second factors, sessions and other ways to sign in from before were removed, because until then they could have been those of somebody else.`,
      advice: () => 'If they were yours, sign in and set them up again. If not, there is nothing to do.',
    },
    'identity-linked': {
      subject: 'A sign-in was added to your account',
      notice: (time, product, provider) =>
        `Since ${time}, ${provider} can be used to sign in to your ${product} account.`,
      advice: () => `If it was not you, remove it in your account, and ${CHANGE}.`,
    },
    'identity-unlinked': {
      subject: 'A sign-in was removed from your account',
      notice: (time, product, provider) =>
        `${provider} can no longer be used to sign in to your ${product} account since ${time}. Other devices were signed out.`,
      advice: changePassword,
    },
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
        `An administrator of ${product} removed all second factors of your account on ${time}. All devices were signed out. Sign in again, and add a second factor.`,
      advice: () => `If you did not request this, ${CHANGE}.`,
      isForSupport: true,
    },
    'password-guessing-paused': {
      subject: 'Many wrong passwords were entered for your account',
      notice: (time, product) =>
        `Somebody has entered 100 wrong passwords in a row for your ${product} account. Signing in with the password from a new device or network is paused until ${time}.`,
      advice: () =>
        'If you have no password, or a long one that you use nowhere else, there is nothing to do. Otherwise change it. You can still reset it with a code that is sent to this address.',
    },
    'second-factor-guessing-paused': {
      subject: 'Many wrong second factors were entered for your account',
      notice: (time, product) =>
        `Somebody has entered 100 wrong second factors in a row for your ${product} account. Second factors from a new device or network are not accepted until ${time}.`,
      advice: () => `If it was not you, ${CHANGE}.`,
    },
    'code-guessing-paused': {
      subject: 'Many wrong e-mail codes were entered for your account',
      notice: (time, product) =>
        `Somebody has entered 100 wrong e-mail codes in a row for your ${product} account. E-mail codes from a new device or network are not accepted until ${time}.`,
      advice: () =>
        'There is nothing to do, and you can still sign in as before. Tell nobody a code that you receive.',
    },
    'new-device': {
      subject: 'Sign-in from a new device',
      notice: (time, product, address) =>
        `Your ${product} account was signed in from a new device on ${time}. Its IP address is ${address}.`,
      advice: () =>
        `If it was you, there is nothing to do. If it was not you, end this session in the list of your sessions and ${CHANGE}: this signs out all other devices.`,
    },
    'platform-role-removed': {
      subject: 'Your role was removed',
      notice: (time, product, role) =>
        `Your role ${role} at ${product} was removed on ${time}. You were signed out of the back office.`,
      advice: (product) => `If you did not expect this, ask an administrator of ${product}.`,
    },
    'email-change-taken': {
      subject: 'Your e-mail address already has an account',
      notice: (_time, product) =>
        `Someone asked to use this e-mail address for another ${product} account. It already belongs to an account, so nothing changes.`,
      advice: () =>
        'If it was you, sign in with this address, or choose another one for your other account. If it was not you, ignore this mail.',
    },
  },
  support: (product, support) => `Contact the support of ${product}: ${support}`,
};
