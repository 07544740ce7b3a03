import type { Language, MailOf } from '@platform/shared/mail/mail';
import type { AccountTexts } from './languages/account-texts.ts';
import { de } from './languages/de.ts';
import { en } from './languages/en.ts';
import { layOut, type RenderedMail } from './layout.ts';

/** A language without texts does not compile. */
const TEXTS: Readonly<Record<Language, AccountTexts>> = { en, de };

/** The same in every language: the order of day and month is unambiguous only with the year first. */
const toUtc = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

type CodeMail = MailOf<'verification-code' | 'reset-password-code'>;

const CODE_TEXTS = {
  'verification-code': 'verificationCode',
  'reset-password-code': 'resetPasswordCode',
} as const;

/** Mails to users, in their language. */
export const createAccountMails = (product: string) => ({
  /** Mail servers log subjects, so the code is only in the body. */
  renderCode: ({ template, language, expiresAt }: CodeMail, code: string): RenderedMail => {
    const texts = TEXTS[language];
    const { subject, summary, instruction } = texts[CODE_TEXTS[template]];
    return layOut({
      language,
      subject: `${product}: ${subject}`,
      summary: summary(code, product),
      paragraphs: [instruction(product), texts.validity(toUtc(expiresAt)), texts.notRequested],
      code,
    });
  },

  renderPasswordChanged: ({ language, changedAt }: MailOf<'password-changed'>): RenderedMail => {
    const { subject, notice, advice } = TEXTS[language].passwordChanged;
    return layOut({
      language,
      subject: `${product}: ${subject}`,
      paragraphs: [notice(toUtc(changedAt), product), advice],
    });
  },
});
