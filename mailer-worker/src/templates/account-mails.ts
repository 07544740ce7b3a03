import type { Language, MailOf } from '@platform/shared/mail/mail';
import type { AccountTexts, NoticeMail, NoticeTexts } from './languages/account-texts.ts';
import { de } from './languages/de.ts';
import { en } from './languages/en.ts';
import { layOut, type RenderedMail } from './layout.ts';

/** A language without texts does not compile. */
const TEXTS: Readonly<Record<Language, AccountTexts>> = { en, de };

const formatTime = (language: Language, iso: string): string => {
  const { locale, timeZone } = TEXTS[language];
  const format = Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(new Date(iso))} ${timeZone}`;
};

export type CodeMail = MailOf<keyof AccountTexts['codes']>;

const getTime = (mail: NoticeMail): string => {
  if ('changedAt' in mail) return mail.changedAt;
  if ('requestedAt' in mail) return mail.requestedAt;
  return 'deletedAt' in mail ? mail.deletedAt : mail.attemptedAt;
};

/**
 * Mails to users, in their language.
 * @param support where users get help: a URL or an e-mail address
 */
export const createAccountMails = (product: string, support: string | undefined) => {
  const layOutNotice = (
    language: Language,
    { subject, advice, isForSupport }: Omit<NoticeTexts, 'notice'>,
    notice: string,
  ) => {
    const contact = isForSupport && support ? ` ${TEXTS[language].support(product, support)}` : '';
    const paragraphs = [notice, advice(product) + contact];
    return layOut({ language, subject: `${product}: ${subject}`, paragraphs });
  };
  const renderTexts = (language: Language, texts: NoticeTexts, time: string): RenderedMail =>
    layOutNotice(language, texts, texts.notice(formatTime(language, time), product));

  return {
    /** Mail servers log subjects, so the code is only in the body. */
    renderCode: ({ template, language, expiresAt }: CodeMail, code: string): RenderedMail => {
      const { codes, validity, notRequested } = TEXTS[language];
      const { subject, summary, instruction } = codes[template];
      return layOut({
        language,
        subject: `${product}: ${subject}`,
        summary: summary(code, product),
        paragraphs: [instruction(product), validity(formatTime(language, expiresAt)), notRequested],
        code,
      });
    },

    renderNotice: (mail: NoticeMail): RenderedMail =>
      renderTexts(mail.language, TEXTS[mail.language].notices[mail.template], getTime(mail)),

    renderSecondFactorChanged: ({ language, changedAt, change }: MailOf<'second-factor-changed'>) =>
      renderTexts(language, TEXTS[language].secondFactorChanges[change], changedAt),

    renderGuessingPaused: ({ language, secret, pausedUntil }: MailOf<'guessing-paused'>) =>
      renderTexts(language, TEXTS[language].guessingPaused[secret], pausedUntil),

    renderNewDevice: ({ language, signedInAt, address }: MailOf<'new-device'>): RenderedMail => {
      const texts = TEXTS[language].newDevice;
      return layOutNotice(language, texts, texts.notice(formatTime(language, signedInAt), address, product));
    },

    renderPlatformRoleRemoved: ({ language, role, changedAt }: MailOf<'platform-role-removed'>) => {
      const texts = TEXTS[language].platformRoleRemoved;
      return layOutNotice(language, texts, texts.notice(formatTime(language, changedAt), role, product));
    },

    renderEmailChangeTaken: ({ language }: MailOf<'email-change-taken'>): RenderedMail => {
      const texts = TEXTS[language].emailChangeTaken;
      return layOutNotice(language, texts, texts.notice(product));
    },
  };
};
