import type { Mail } from '@platform/shared/platform/mail/mail';
import { renderCode, renderNotice } from './account-mails.ts';
import { renderContactMail } from './contact-mails.ts';
import type { RenderedMail } from './layout.ts';

/** Renders subject, text and HTML. A mail without texts does not compile. */
export const createMailRenderer =
  (product: string, support?: string) =>
  (mail: Mail): RenderedMail => {
    if ('code' in mail) return renderCode(mail, product);
    if ('request' in mail) return renderContactMail(mail, product);
    return renderNotice(mail, product, support);
  };

export type RenderMail = ReturnType<typeof createMailRenderer>;
