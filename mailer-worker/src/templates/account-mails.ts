import type { Language, MailOf } from '@platform/shared/mail/mail';
import type { AccountTexts, NoticeTexts } from './languages/account-texts.ts';
import { de } from './languages/de.ts';
import { en } from './languages/en.ts';
import { layOut, type RenderedMail } from './layout.ts';

/** A language without texts does not compile. */
const TEXTS: Readonly<Record<Language, AccountTexts>> = { en, de };

/** The same in every language: the order of day and month is unambiguous only with the year first. */
const toUtc = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

export type CodeMail = MailOf<keyof AccountTexts['codes']>;
type NoticeMail = MailOf<keyof AccountTexts['notices']>;

const getTime = (mail: NoticeMail): string => {
  if ('changedAt' in mail) return toUtc(mail.changedAt);
  return toUtc('requestedAt' in mail ? mail.requestedAt : mail.deletedAt);
};

/** Mails to users, in their language. */
export const createAccountMails = (product: string) => {
  const layOutNotice = (
    language: Language,
    { subject, advice }: Pick<NoticeTexts, 'subject' | 'advice'>,
    notice: string,
  ) => layOut({ language, subject: `${product}: ${subject}`, paragraphs: [notice, advice(product)] });

  return {
    /** Mail servers log subjects, so the code is only in the body. */
    renderCode: ({ template, language, expiresAt }: CodeMail, code: string): RenderedMail => {
      const { codes, validity, notRequested } = TEXTS[language];
      const { subject, summary, instruction } = codes[template];
      return layOut({
        language,
        subject: `${product}: ${subject}`,
        summary: summary(code, product),
        paragraphs: [instruction(product), validity(toUtc(expiresAt)), notRequested],
        code,
      });
    },

    renderNotice: (mail: NoticeMail): RenderedMail => {
      const texts = TEXTS[mail.language].notices[mail.template];
      return layOutNotice(mail.language, texts, texts.notice(getTime(mail), product));
    },

    renderSecondFactorChanged: ({
      language,
      changedAt,
      change,
    }: MailOf<'second-factor-changed'>): RenderedMail => {
      const texts = TEXTS[language].secondFactorChanges[change];
      return layOutNotice(language, texts, texts.notice(toUtc(changedAt), product));
    },

    renderNewDevice: ({ language, signedInAt, address }: MailOf<'new-device'>): RenderedMail => {
      const texts = TEXTS[language].newDevice;
      return layOutNotice(language, texts, texts.notice(toUtc(signedInAt), address, product));
    },

    renderEmailChangeTaken: ({ language }: MailOf<'email-change-taken'>): RenderedMail => {
      const texts = TEXTS[language].emailChangeTaken;
      return layOutNotice(language, texts, texts.notice(product));
    },
  };
};
