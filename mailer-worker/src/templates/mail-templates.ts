import type { KindNames } from '@platform/shared/config/appearance';
import type { AddressedMail } from '@platform/shared/platform/mail/mail';
import { toInvitationContent, toNoticeContent } from './account-mails.ts';
import { toCodeContent } from './code-mails.ts';
import { toContactContent } from './contact-mails.ts';
import { toReplyContent } from './contact-reply.ts';
import { layOut, type MailContent, type RenderedMail } from './layout.ts';
import type { MailPages } from './mail-links.ts';
import type { MailAppearance } from './mail-style.ts';
import { toServiceContent } from './service-mails.ts';

const PLAIN: MailAppearance = { hasLogo: false };

type Options = {
  product: string;
  /** A URL or an e-mail address. */
  support?: string | undefined;
  appearance?: MailAppearance;
  /** Whether the subjects of some codes have the code. */
  codeInSubject?: boolean;
  kindNames: KindNames;
  /** Linked by mails. */
  pages?: MailPages;
  /** Decrypts the code of an invitation. */
  openCode: (sealedCode: string) => string;
};

/** Renders subject, text and HTML. A mail without texts does not compile. */
export const createMailRenderer = (options: Options) => {
  const { product, support, appearance = PLAIN, codeInSubject = true } = options;
  const { pages = {}, kindNames, openCode } = options;
  const toContent = (mail: AddressedMail): MailContent => {
    if ('code' in mail) return toCodeContent(mail, product, pages, codeInSubject);
    if ('sealedCode' in mail) return toInvitationContent(mail, openCode(mail.sealedCode), product, pages);
    if ('request' in mail) return toContactContent(mail, product);
    if ('replyTo' in mail) return toReplyContent(mail, product);
    if ('service' in mail) return toServiceContent(mail, product);
    return toNoticeContent(mail, { product, pages, kindNames, support });
  };
  return (mail: AddressedMail): RenderedMail => layOut(toContent(mail), appearance);
};

export type RenderMail = ReturnType<typeof createMailRenderer>;
