import type { AccountTexts } from './account-texts.ts';
import { CHANGE, CODES } from './en-codes.ts';
import { ROLE_NOTICES } from './en-roles.ts';

const changePassword = () => `If this was not you, ${CHANGE}. Also check how your account signs in.`;

export const en: AccountTexts = {
  locale: 'en-GB',
  afterTime: (zone) => zone,
  codes: CODES,
  device: (browser, system) => `${browser} on ${system}`,
  codeSubject: (code) => `${code} is your code`,
  enterCode: (product) => `Enter this code at ${product}:`,
  requested: (time) => `Requested on ${time}`,
  from: (device) => `from ${device}`,
  bySupport: 'by our support',
  validity: 'It expires in 15 minutes. We never ask for this code by phone or chat.',
  notRequested: 'If you didn’t request this, you can ignore this email. Nothing will change.',
  codeReason: (address, product) => `Sent to ${address} because someone entered this address at ${product}.`,
  accountReason: (product) => `You are getting this email because of your account at ${product}.`,
  openPage: 'Open the page with the code filled in',
  check: { devices: 'Check your devices', 'signing-in': 'Check your account' },
  signIn: 'Sign in',
  administratorAccount: 'Administrator account',
  notices: {
    'password-changed': {
      subject: 'Your password was changed',
      notice: (time, product) =>
        `The password of your ${product} account was changed on ${time}. Other devices were signed out.`,
      advice: () =>
        'If this was not you, reset the password now: choose “Forgot password?” on the sign-in page.',
    },
    'email-change-requested': {
      subject: 'A change of your email address was requested',
      notice: (time, product) =>
        `A new email address was requested for your ${product} account on ${time}. Nothing changes until the new address is confirmed with a code.`,
      advice: () => `If this was not you, ${CHANGE}. This also cancels the request.`,
    },
    'email-changed': {
      subject: 'Your email address was changed',
      notice: (time, product) =>
        `The email address of your ${product} account was changed on ${time}. From now on, sign in with the new address. Other devices were signed out.`,
      advice: () =>
        'If this was not you, somebody else has access to your account. You can no longer reset the password with this address.',
      isForSupport: true,
    },
    'account-deleted': {
      subject: 'Your account was deleted',
      notice: (time, product) =>
        `Your ${product} account was deleted on ${time}. Your personal data was deleted as well, and all devices were signed out.`,
      advice: (product) =>
        `If you did not delete it, either an administrator of ${product} did, or somebody else had access to your account.`,
      isForSupport: true,
    },
    'wrong-factors': {
      subject: 'Wrong second factors were entered for your account',
      notice: (time, product) =>
        `On ${time}, somebody passed the first step of signing in to your ${product} account, such as the password, and then entered five wrong second factors. The sign-in was rejected.`,
      advice: () => `If this was not you, ${CHANGE}.`,
    },
    'setup-removed': {
      subject: 'Earlier settings of your account were removed',
      notice: (time, product) =>
        `This address was verified for your ${product} account on ${time}. Second factors, sessions and sign-in methods that existed before were removed, because somebody else could have added them.`,
      advice: () =>
        'If they were yours, sign in and set them up again. Otherwise, you do not have to do anything.',
    },
    'identity-linked': {
      subject: 'A sign-in method was added to your account',
      notice: (time, product, provider) =>
        `On ${time}, ${provider} was added as a way to sign in to your ${product} account.`,
      advice: () => `If this was not you, remove this sign-in method from your account, and ${CHANGE}.`,
    },
    'identity-unlinked': {
      subject: 'A sign-in method was removed from your account',
      notice: (time, product, provider) =>
        `On ${time}, ${provider} was removed as a way to sign in to your ${product} account. Other devices were signed out.`,
      advice: changePassword,
    },
    'identity-unlinked-by-administrator': {
      subject: 'A sign-in method was removed by an administrator',
      notice: (time, product, provider) =>
        `On ${time}, an administrator of ${product} removed ${provider} as a way to sign in to your account. Devices that were signed in with it were signed out.`,
      advice: () => `If you did not request this, ${CHANGE}.`,
      isForSupport: true,
    },
    'totp-enabled': {
      subject: 'An authenticator app was added',
      notice: (time, product) =>
        `As of ${time}, signing in to your ${product} account requires a code from your authenticator app. Keep your recovery codes in a safe place: each one replaces the app once. Other devices were signed out.`,
      advice: changePassword,
    },
    'totp-disabled': {
      subject: 'The authenticator app was removed',
      notice: (time, product) =>
        `The authenticator app was removed from your ${product} account on ${time}. Other devices were signed out.`,
      advice: changePassword,
    },
    'passkey-added': {
      subject: 'A passkey was added',
      notice: (time, product) => `A passkey was added to your ${product} account on ${time}.`,
      advice: changePassword,
    },
    'passkey-removed': {
      subject: 'A passkey was removed',
      notice: (time, product) => `A passkey was removed from your ${product} account on ${time}.`,
      advice: changePassword,
    },
    'recovery-codes-replaced': {
      subject: 'Your recovery codes were replaced',
      notice: (time, product) =>
        `The recovery codes of your ${product} account were replaced with ten new ones on ${time}. The earlier ones are no longer valid. Other devices were signed out.`,
      advice: changePassword,
    },
    'recovery-code-used': {
      subject: 'A recovery code was used',
      notice: (time, product) =>
        `A recovery code of your ${product} account was used on ${time}. It is no longer valid. Your account shows how many are left; create new ones before you use the last one.`,
      advice: changePassword,
    },
    'second-step-enabled': {
      subject: 'The second step was switched on',
      notice: (time, product) =>
        `As of ${time}, signing in to your ${product} account requires a second step, for example your passkey. Keep your recovery codes in a safe place: each one replaces it once. Other devices were signed out.`,
      advice: changePassword,
    },
    'second-step-disabled': {
      subject: 'The second step was switched off',
      notice: (time, product) =>
        `As of ${time}, signing in to your ${product} account no longer requires a second step. The recovery codes are no longer valid. Other devices were signed out.`,
      advice: changePassword,
    },
    'reset-by-administrator': {
      subject: 'Your second factors were removed by an administrator',
      notice: (time, product) =>
        `An administrator of ${product} removed all second factors from your account on ${time}. All devices were signed out. Sign in again and add a second factor.`,
      advice: () => `If you did not request this, ${CHANGE}.`,
      isForSupport: true,
    },
    'totp-removed-by-administrator': {
      subject: 'The authenticator app was removed by an administrator',
      notice: (time, product) =>
        `An administrator of ${product} removed the authenticator app from your account on ${time}. All devices were signed out.`,
      advice: () => `If you did not request this, ${CHANGE}.`,
      isForSupport: true,
    },
    'passkey-removed-by-administrator': {
      subject: 'A passkey was removed by an administrator',
      notice: (time, product) =>
        `An administrator of ${product} removed a passkey from your account on ${time}. All devices were signed out.`,
      advice: () => `If you did not request this, ${CHANGE}.`,
      isForSupport: true,
    },
    'password-guessing-paused': {
      subject: 'Many wrong passwords were entered for your account',
      notice: (time, product) =>
        `Somebody entered 100 wrong passwords in a row for your ${product} account. Signing in with the password from a new device or network is paused until ${time}.`,
      advice: () =>
        'If you have no password, or a long one that you use nowhere else, you do not have to do anything. Otherwise, change it. You can still reset it with a code that we send to this address.',
    },
    'second-factor-guessing-paused': {
      subject: 'Many wrong second factors were entered for your account',
      notice: (time, product) =>
        `Somebody entered 100 wrong second factors in a row for your ${product} account. Second factors from a new device or network are not accepted until ${time}.`,
      advice: () => `If this was not you, ${CHANGE}.`,
    },
    'code-guessing-paused': {
      subject: 'Many wrong email codes were entered for your account',
      notice: (time, product) =>
        `Somebody entered 100 wrong email codes in a row for your ${product} account. Email codes from a new device or network are not accepted until ${time}.`,
      advice: () =>
        'You do not have to do anything and can still sign in as before. Never share a code that you receive.',
    },
    ...ROLE_NOTICES,
    'email-change-taken': {
      subject: 'Your email address already belongs to an account',
      notice: (_time, product) =>
        `Somebody tried to use this email address for another ${product} account. It already belongs to an account, so nothing changes.`,
      advice: () =>
        'If this was you, sign in with this address, or choose another one for your other account. If not, you can ignore this email.',
    },
    'wrong-kind': {
      subject: 'You have another kind of account',
      notice: (_time, product, kind) =>
        `Somebody entered this email address to get a code, but on the page for another kind of account, so we sent none. Your account at ${product}: ${kind}.`,
      advice: () =>
        'Sign in on the page for this account. If you didn’t request a code, you can ignore this email. Nothing will change.',
    },
  },
  support: (product, support) => `Contact the support of ${product}: ${support}`,
};
