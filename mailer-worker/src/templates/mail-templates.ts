import type { CodeCipher } from '@platform/shared/platform/mail/code-encryption';
import type { Mail } from '@platform/shared/platform/mail/mail';
import { renderCode, renderNotice } from './account-mails.ts';
import { renderContactMail } from './contact-mails.ts';
import type { RenderedMail } from './layout.ts';

/** A decoy is processed like a mail but never sent. */
export type SendableMail = Exclude<Mail, { template: 'decoy' }>;

/** Renders subject, text and HTML. A mail without texts does not compile. */
export const createMailRenderer =
  ({ decrypt }: CodeCipher, product: string, support?: string) =>
  (mail: SendableMail): RenderedMail => {
    if ('sealedCode' in mail) return renderCode(mail, decrypt(mail.sealedCode), product);
    if ('request' in mail) return renderContactMail(mail, product);
    return renderNotice(mail, product, support);
  };

export type RenderMail = ReturnType<typeof createMailRenderer>;
