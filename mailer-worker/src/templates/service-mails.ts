import type { Language } from '@platform/shared/http/language';
import type { AddressedMessage } from '@platform/shared/platform/mail/mail';
import { toParagraphs } from './contact-mails.ts';
import type { MailContent } from './layout.ts';

/** Why one gets the mail. There is no way to unsubscribe, because such mails concern what the user does. */
const REASONS: Record<Language, (service: string, product: string) => string> = {
  en: (service, product) =>
    `This email comes from “${service}”, a service of ${product}. You get it because you have a ${product} account that it concerns.`,
  de: (service, product) =>
    `Diese E-Mail kommt von „${service}“, einem Dienst von ${product}. Sie erhalten sie, weil sie Ihr Konto bei ${product} betrifft.`,
};

/** The texts are those of another service, which may be compromised: nothing of them becomes markup. */
export const toServiceContent = (
  { language, service, subject, text, action }: AddressedMessage,
  product: string,
): MailContent => ({
  language,
  product,
  sender: `${service} via ${product}`,
  subject,
  paragraphs: toParagraphs(text),
  ...(action && { action }),
  reason: REASONS[language](service, product),
});
