import type { Language } from '@platform/shared/http/language';
import type { ReplyMail } from '@platform/shared/platform/mail/mail';
import { toLine, toLines, toParagraphs } from './contact-mails.ts';
import type { MailContent } from './layout.ts';

type Texts = {
  subject: string;
  wrote: (day: string) => string;
  reason: (product: string) => string;
  locale: string;
};

const TEXTS: Record<Language, Texts> = {
  en: {
    subject: 'your request',
    wrote: (day) => `You wrote on ${day}`,
    reason: (product) => `You are getting this email because someone wrote to ${product} with this address.`,
    locale: 'en-GB',
  },
  de: {
    subject: 'Ihre Anfrage',
    wrote: (day) => `Sie schrieben am ${day}`,
    reason: (product) =>
      `Sie erhalten diese E-Mail, weil jemand ${product} mit dieser Adresse geschrieben hat.`,
    locale: 'de-DE',
  },
};

const toDay = (time: string, locale: string): string =>
  new Date(time).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' });

/** Contains the texts of the administrator and of the sender of the form, which never become markup. */
export const toReplyContent = (mail: ReplyMail, product: string): MailContent => {
  const texts = TEXTS[mail.language];
  const { text, subject, message, replyTo } = mail;
  const about = toLine(subject ?? '') || texts.subject;
  return {
    language: mail.language,
    product,
    subject: `Re: ${about}`,
    headline: about,
    // One block, because the layout puts the fields after the first paragraph.
    paragraphs: [toParagraphs(text).join('\n\n')],
    ...(message !== null && {
      fields: [{ label: texts.wrote(toDay(mail.wroteAt, texts.locale)), lines: toLines(message) }],
    }),
    reason: texts.reason(product),
    replyTo,
  };
};
