import type { CodeCipher } from '@platform/shared/mail/code-encryption';
import type { Mail, MailOf } from '@platform/shared/mail/mail';
import { createAccountMails } from './account-mails.ts';
import { createContactMails } from './contact-mails.ts';
import type { RenderedMail } from './layout.ts';

/** A decoy takes the time of a mail but is never sent. */
export type SendableMail = Exclude<Mail, { template: 'decoy' }>;

type Templates = { [Template in SendableMail['template']]: (mail: MailOf<Template>) => RenderedMail };

/** Renders subject, text and HTML. A mail without a template does not compile. */
export const createMailRenderer = ({ decrypt }: CodeCipher, product: string) => {
  const { renderCode, renderPasswordChanged } = createAccountMails(product);
  const { renderLeadRequest, renderSupportRequest } = createContactMails(product);
  const templates: Templates = {
    'verification-code': (mail) => renderCode(mail, decrypt(mail.sealedCode)),
    'reset-password-code': (mail) => renderCode(mail, decrypt(mail.sealedCode)),
    'password-changed': renderPasswordChanged,
    'lead-request': renderLeadRequest,
    'support-request': renderSupportRequest,
  };
  return (mail: SendableMail): RenderedMail => templates[mail.template](mail as never);
};

export type RenderMail = ReturnType<typeof createMailRenderer>;
