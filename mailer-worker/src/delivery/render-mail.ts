import type { CodeCipher } from '@platform/shared/mail/code-encryption';
import type { Mail, MailOf } from '@platform/shared/mail/mail';
import { passwordChanged, resetPasswordCode, verificationCode } from '../templates/account-mails.ts';
import { leadRequest, supportRequest } from '../templates/contact-forms.ts';
import type { RenderedMail } from '../templates/layout.ts';

/** A mail that is really sent. */
export type RealMail = Exclude<Mail, { template: 'decoy' }>;

type Renderers = { [Template in RealMail['template']]: (mail: MailOf<Template>) => RenderedMail };

/** Mail → subject, text and HTML; a template without a renderer does not compile. */
export const createMailRenderer = ({ decrypt: open }: CodeCipher) => {
  const renderers: Renderers = {
    'verification-code': ({ sealedCode }) => verificationCode({ code: open(sealedCode) }),
    'reset-password-code': ({ sealedCode }) => resetPasswordCode({ code: open(sealedCode) }),
    'password-changed': passwordChanged,
    'lead-request': leadRequest,
    'support-request': supportRequest,
  };
  return (mail: RealMail): RenderedMail => renderers[mail.template](mail as never);
};

export type RenderMail = ReturnType<typeof createMailRenderer>;
