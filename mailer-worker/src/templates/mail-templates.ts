import type { Mail } from '@platform/shared/platform/mail/mail';
import { toCodeContent, toNoticeContent } from './account-mails.ts';
import { toContactContent } from './contact-mails.ts';
import { layOut, type MailAppearance, type MailContent, type RenderedMail } from './layout.ts';

const PLAIN: MailAppearance = { hasLogo: false, accentColour: undefined };

/** Renders subject, text and HTML. A mail without texts does not compile. */
export const createMailRenderer = (product: string, support?: string, appearance = PLAIN) => {
  const toContent = (mail: Mail): MailContent => {
    if ('code' in mail) return toCodeContent(mail, product);
    if ('request' in mail) return toContactContent(mail, product);
    return toNoticeContent(mail, product, support);
  };
  return (mail: Mail): RenderedMail => layOut(toContent(mail), appearance);
};

export type RenderMail = ReturnType<typeof createMailRenderer>;
