import type { LANGUAGES } from '@platform/shared/mail/mail';
import { GERMAN_MAILS } from './expected-german-mails.ts';

export type ExpectedMail = { subject: string; contains: string[] };
type ExpectedMails = Record<string, ExpectedMail>;

const AT = '20 November 2026 at 03:04 UTC';
const SUPPORT = 'Please contact the support of Marketplace: support@example.com';

const ENGLISH: ExpectedMails = {
  'verification-code': {
    subject: 'Your verification code',
    contains: [
      '042917 is your verification code for Marketplace.',
      'Enter this code at Marketplace to verify your e-mail address.',
      `valid for 15 minutes, until ${AT}`,
      'If you did not request this code',
    ],
  },
  'reset-password-code': {
    subject: 'Your code to reset the password',
    contains: [
      '042917 is your code to reset the password for Marketplace.',
      'Enter this code at Marketplace to choose a new password.',
      `valid for 15 minutes, until ${AT}`,
      'If you did not request this code',
    ],
  },
  'email-change-code': {
    subject: 'Your code to confirm this e-mail address',
    contains: [
      '042917 is your code to confirm this e-mail address for Marketplace.',
      'Enter this code at Marketplace to make this the e-mail address of your account.',
      `valid for 15 minutes, until ${AT}`,
      'If you did not request this code',
    ],
  },
  'email-change-taken': {
    subject: 'Your e-mail address already belongs to an account',
    contains: [
      'another Marketplace account',
      'nothing changes',
      'sign in with this address',
      'ignore this e-mail',
    ],
  },
  'email-change-requested': {
    subject: 'A change of your e-mail address was requested',
    contains: [`for your Marketplace account on ${AT}`, 'Nothing changes until', 'change your password now'],
  },
  'email-changed': {
    subject: 'Your e-mail address was changed',
    contains: [`was changed on ${AT}`, 'Other devices were signed out', SUPPORT],
  },
  'password-changed': {
    subject: 'Your password was changed',
    contains: [
      `The password of your Marketplace account was changed on ${AT}.`,
      'Other devices were signed out',
      'If this was not you',
    ],
  },
  'identity-linked': {
    subject: 'A sign-in method was added to your account',
    contains: [
      `On ${AT}, Company was added as a way to sign in to your Marketplace account.`,
      'remove this sign-in method from your account',
    ],
  },
  'identity-unlinked': {
    subject: 'A sign-in method was removed from your account',
    contains: [
      'Company was removed as a way to sign in',
      AT,
      'Other devices were signed out',
      'change your password now',
    ],
  },
  'second-factor-changed (totp-enabled)': {
    subject: 'An authenticator app was added',
    contains: [
      `As of ${AT}`,
      'your Marketplace account',
      'Keep the ten recovery codes',
      'change your password now',
    ],
  },
  'second-factor-changed (totp-disabled)': {
    subject: 'The authenticator app was removed',
    contains: [
      `removed from your Marketplace account on ${AT}`,
      'Other devices were signed out',
      'change your password now',
    ],
  },
  'second-factor-changed (passkey-added)': {
    subject: 'A passkey was added',
    contains: [
      `added to your Marketplace account on ${AT}`,
      'Other devices were signed out',
      'If this was not you',
    ],
  },
  'second-factor-changed (passkey-removed)': {
    subject: 'A passkey was removed',
    contains: [
      `removed from your Marketplace account on ${AT}`,
      'Other devices were signed out',
      'change your password now',
    ],
  },
  'second-factor-changed (recovery-codes-replaced)': {
    subject: 'Your recovery codes were replaced',
    contains: [`replaced with ten new ones on ${AT}`, 'no longer valid', 'change your password now'],
  },
  'second-factor-changed (recovery-code-used)': {
    subject: 'A recovery code was used',
    contains: [`used on ${AT}`, 'no longer valid', 'how many are left', 'change your password now'],
  },
  'second-factor-changed (reset-by-administrator)': {
    subject: 'Your second factors were removed by an administrator',
    contains: [`on ${AT}`, 'All devices were signed out', 'If you did not request this', SUPPORT],
  },
  'new-device': {
    subject: 'Sign-in from a new device',
    contains: [
      `on ${AT}. The IP address is 2001:db8::1.`,
      'end this session in the list of your sessions',
      'change your password now',
    ],
  },
  'account-deleted': {
    subject: 'Your account was deleted',
    contains: [`Your Marketplace account was deleted on ${AT}.`, 'personal data was deleted', SUPPORT],
  },
  'guessing-paused (password)': {
    subject: 'Many wrong passwords were entered for your account',
    contains: [
      '100 wrong passwords',
      `is paused until ${AT}.`,
      'Otherwise, change it',
      'still reset it with a code',
    ],
  },
  'guessing-paused (second-factor)': {
    subject: 'Many wrong second factors were entered for your account',
    contains: ['100 wrong second factors', `not accepted until ${AT}.`, 'change your password now'],
  },
  'guessing-paused (code)': {
    subject: 'Many wrong e-mail codes were entered for your account',
    contains: ['100 wrong e-mail codes', `not accepted until ${AT}.`, 'sign in as before'],
  },
  'wrong-factors': {
    subject: 'Wrong second factors were entered for your account',
    contains: [
      `On ${AT}`,
      'first step of signing in to your Marketplace account',
      'five wrong',
      'or reset it',
    ],
  },
  'platform-role-removed': {
    subject: 'Your role was removed',
    contains: [
      `Your role OPERATOR at Marketplace was removed on ${AT}.`,
      'contact an administrator of Marketplace',
    ],
  },
  'setup-removed': {
    subject: 'Earlier settings of your account were removed',
    contains: [`verified for your Marketplace account on ${AT}.`, 'were removed', 'set them up again'],
  },
};

/** Keyed by language and example name. A language without expected texts does not compile. */
export const EXPECTED_USER_MAILS: Record<(typeof LANGUAGES)[number], ExpectedMails> = {
  en: ENGLISH,
  de: GERMAN_MAILS,
};

export const EXPECTED_CONTACT_MAILS: ExpectedMails = {
  'lead-request': {
    subject: 'New request for a project',
    contains: ['Ada', 'a@b.example', '+44 20', 'Engines', 'One', 'Two'],
  },
  'support-request': {
    subject: 'New support request',
    contains: ['Ada', 'a@b.example', 'Broken', 'Help'],
  },
};
