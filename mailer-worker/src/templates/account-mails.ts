import { describeDevice } from '@platform/openapi/device-name';
import type { Language } from '@platform/shared/http/language';
import type { CodeMail, InvitationMail, NoticeMail } from '@platform/shared/platform/mail/mail';
import type { AccountTexts, NoticeName } from './languages/account-texts.ts';
import { de } from './languages/de.ts';
import { en } from './languages/en.ts';
import { INVITATION_TEXTS } from './languages/invitation-texts.ts';
import type { MailContent } from './layout.ts';

/** A language without texts does not compile. */
const TEXTS: Readonly<Record<Language, AccountTexts>> = { en, de };

const formatTime = (language: Language, iso: string): string => {
  const { locale, timeZone } = TEXTS[language];
  const format = Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(new Date(iso))} ${timeZone}`;
};

type Notice = { name: NoticeName; time?: string; detail?: string; device?: string };

const toNotice = (mail: NoticeMail): Notice => {
  const { template } = mail;
  switch (template) {
    case 'second-factor-changed':
      return { name: mail.change, time: mail.changedAt };
    case 'guessing-paused':
      return { name: `${mail.secret}-guessing-paused`, time: mail.pausedUntil };
    case 'new-device':
      return {
        name: template,
        time: mail.signedInAt,
        detail: mail.address,
        device: describeDevice(mail.userAgent, TEXTS[mail.language].device) ?? '',
      };
    case 'administrator-registered':
    case 'platform-role-assigned':
    case 'platform-role-removed':
      return { name: template, time: mail.changedAt, detail: mail.role };
    case 'platform-role-given':
      return { name: template, time: mail.changedAt, detail: `${mail.role}: ${mail.email}` };
    case 'invitation-accepted':
      return { name: template, time: mail.acceptedAt, detail: `${mail.email} (${mail.role})` };
    case 'identity-linked':
    case 'identity-unlinked':
      return { name: template, time: mail.changedAt, detail: mail.provider };
    case 'email-change-taken':
      return { name: template };
    case 'email-change-requested':
      return { name: template, time: mail.requestedAt };
    case 'account-deleted':
      return { name: template, time: mail.deletedAt };
    case 'wrong-factors':
      return { name: template, time: mail.attemptedAt };
    default:
      return { name: template, time: mail.changedAt };
  }
};

/** Mail servers log subjects, so the subject never has a code that can take an account over. */
const IN_SUBJECT: readonly CodeMail['template'][] = ['verification-code', 'sign-in-code', 'new-device-code'];

/** @param inSubject whether the subject has the code, so that a notification shows it */
export const toCodeContent = (
  { template, to, language, code }: CodeMail,
  product: string,
  inSubject: boolean,
): MailContent => {
  const texts = TEXTS[language];
  const { title, summary, effect, notRequested = texts.notRequested } = texts.codes[template];
  return {
    language,
    product,
    subject: inSubject && IN_SUBJECT.includes(template) ? texts.codeSubject(code) : title,
    headline: title,
    summary: summary(code, product),
    paragraphs: [texts.enterCode(product), ...(effect ? [effect(product)] : []), texts.validity],
    code,
    advice: notRequested,
    reason: texts.codeReason(to, product),
  };
};

/** @param invitationUrl the page that takes the code, if there is one */
export const toInvitationContent = (
  { to, language, role, expiresAt }: InvitationMail,
  code: string,
  product: string,
  invitationUrl: string | undefined,
): MailContent => {
  const texts = INVITATION_TEXTS[language];
  const { subject, headline, summary, notice, instruction, validity, advice, accept } = texts;
  const isLinked = invitationUrl !== undefined;
  return {
    language,
    product,
    subject: subject(product),
    headline: headline(product),
    summary: summary(code, product),
    paragraphs: [
      `${notice(product, role)} ${instruction(product, isLinked)}`,
      validity(to, formatTime(language, expiresAt)),
    ],
    code,
    advice,
    reason: TEXTS[language].codeReason(to, product),
    // Browsers do not send what follows the #, so no server, proxy or scanner of mails sees the code.
    ...(isLinked && { action: { label: accept, url: `${invitationUrl}#${code}` } }),
  };
};

/** @param support an e-mail address */
export const toNoticeContent = (mail: NoticeMail, product: string, support?: string): MailContent => {
  const { language } = mail;
  const { name, time, detail = '', device = '' } = toNotice(mail);
  const texts = TEXTS[language];
  const { subject, notice, advice, isForSupport } = texts.notices[name];
  const text = notice(time === undefined ? '' : formatTime(language, time), product, detail, device);
  const contact = isForSupport && support ? ` ${texts.support(product, support)}` : '';
  return {
    language,
    product,
    subject,
    paragraphs: [text, advice(product) + contact],
    reason: texts.accountReason(product),
  };
};
