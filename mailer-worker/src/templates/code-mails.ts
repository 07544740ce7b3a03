import { describeDevice } from '@platform/openapi/device-name';
import { CODE_LIFETIME_SECONDS } from '@platform/shared/platform/codes/email-code';
import type { CodeMail } from '@platform/shared/platform/mail/mail';
import type { MailContent } from './layout.ts';
import { findCodeUrl, type MailPages } from './mail-links.ts';
import { formatTime, showAddress, TEXTS } from './texts.ts';

/** Mail servers log subjects, so the subject never has a code that can take an account over. */
const IN_SUBJECT: readonly CodeMail['template'][] = ['verification-code', 'sign-in-code', 'new-device-code'];

/** Says when and from which device the code was requested, in words of a fixed list, as a client can send any header. */
const describeRequest = ({
  language,
  expiresAt,
  timeZone = null,
  userAgent,
  byAdministrator,
}: CodeMail): string => {
  const { requested, from, bySupport, device: toName } = TEXTS[language];
  const requestedAt = new Date(Date.parse(expiresAt) - CODE_LIFETIME_SECONDS * 1_000);
  const device = describeDevice(userAgent, toName);
  const origin = byAdministrator ? bySupport : device && from(device);
  const time = requested(formatTime(language, requestedAt.toISOString(), timeZone));
  return `${[time, ...(origin ? [origin] : [])].join(' ')}.`;
};

/** @param inSubject whether the subject has the code, so that a notification shows it */
export const toCodeContent = (
  mail: CodeMail,
  product: string,
  pages: MailPages,
  inSubject: boolean,
): MailContent => {
  const { template, to, language, code } = mail;
  const texts = TEXTS[language];
  const { title, summary, effect, notRequested = texts.notRequested } = texts.codes[template];
  const url = findCodeUrl(mail, pages);
  return {
    language,
    product,
    subject: inSubject && IN_SUBJECT.includes(template) ? texts.codeSubject(code) : title,
    headline: title,
    summary: summary(code, product),
    paragraphs: [
      texts.enterCode(product),
      ...(effect ? [effect(product)] : []),
      texts.validity,
      describeRequest(mail),
    ],
    code,
    ...(url !== undefined && { link: { label: texts.openPage, url } }),
    advice: notRequested,
    reason: texts.codeReason(showAddress(to), product),
  };
};
