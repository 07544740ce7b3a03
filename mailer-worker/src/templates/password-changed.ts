import { layOut, type RenderedMail } from './layout.ts';

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
