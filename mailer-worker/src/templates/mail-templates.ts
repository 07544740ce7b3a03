import type { Mail } from '@platform/shared/platform/mail/mail';
import { renderCode, renderInvitation, renderNotice } from './account-mails.ts';
import { renderContactMail } from './contact-mails.ts';
import type { RenderedMail } from './layout.ts';

type Options = {
  product: string;
  /** A URL or an e-mail address. */
  support?: string | undefined;
  /** The page that takes the code of an invitation, if there is one. */
  invitationUrl?: string | undefined;
  /** Decrypts the code of an invitation. */
  openCode: (sealedCode: string) => string;
};

/** Renders subject, text and HTML. A mail without texts does not compile. */
export const createMailRenderer =
  ({ product, support, invitationUrl, openCode }: Options) =>
  (mail: Mail): RenderedMail => {
    if ('code' in mail) return renderCode(mail, product);
    if ('sealedCode' in mail) return renderInvitation(mail, openCode(mail.sealedCode), product, invitationUrl);
    if ('request' in mail) return renderContactMail(mail, product);
    return renderNotice(mail, product, support);
  };

export type RenderMail = ReturnType<typeof createMailRenderer>;
