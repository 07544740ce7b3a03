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
