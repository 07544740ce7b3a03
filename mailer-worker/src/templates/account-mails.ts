import { layOut, type RenderedMail } from './layout.ts';

type CodeProperties = { code: string };

const NOT_YOU = 'If you did not ask for it, ignore this mail: nothing changes, and nobody else has the code.';

export const verificationCode = ({ code }: CodeProperties): RenderedMail =>
  layOut({
    subject: 'Your verification code',
    paragraphs: ['Enter this code to verify your e-mail address:', 'It is valid for 15 minutes.', NOT_YOU],
    code,
  });

export const resetPasswordCode = ({ code }: CodeProperties): RenderedMail =>
  layOut({
    subject: 'Your code to reset the password',
    paragraphs: ['Enter this code to choose a new password:', 'It is valid for 15 minutes.', NOT_YOU],
    code,
  });

type Properties = { changedAt: string };

const toUtc = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

export const passwordChanged = ({ changedAt }: Properties): RenderedMail =>
  layOut({
    subject: 'Your password was changed',
    paragraphs: [
      `The password of your account was changed on ${toUtc(changedAt)}. Other devices were signed out.`,
      'If it was not you, reset the password now: on the sign-in page, choose “Forgot password”.',
    ],
  });
