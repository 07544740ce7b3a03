import { describeDevice } from '@platform/openapi/device-name';
import type { KindNames } from '@platform/shared/config/appearance';
import type { InvitationMail, MailOf, NoticeMail } from '@platform/shared/platform/mail/mail';
import type { AccountTexts, NoticeName } from './languages/account-texts.ts';
import { INVITATION_TEXTS } from './languages/invitation-texts.ts';
import { NEW_DEVICE_TEXTS } from './languages/new-device-texts.ts';
import type { MailContent } from './layout.ts';
import { findAccountUrl, type MailPages } from './mail-links.ts';
import { formatTime, showAddress, TEXTS } from './texts.ts';

type DeviceMail = MailOf<'new-device'>;
type Notice = { name: NoticeName; time?: string; detail?: string };

const toNotice = (mail: Exclude<NoticeMail, DeviceMail>): Notice => {
  const { template } = mail;
  switch (template) {
    case 'second-factor-changed':
      return { name: mail.change, time: mail.changedAt };
    case 'guessing-paused':
      return { name: `${mail.secret}-guessing-paused`, time: mail.pausedUntil };
    case 'administrator-registered':
    case 'platform-role-assigned':
    case 'platform-role-removed':
      return { name: template, time: mail.changedAt, detail: mail.role };
    case 'platform-role-given':
      return { name: template, time: mail.changedAt, detail: `${mail.role}: ${showAddress(mail.email)}` };
    case 'invitation-accepted':
      return { name: template, time: mail.acceptedAt, detail: `${showAddress(mail.email)} (${mail.role})` };
    case 'identity-unlinked':
      return {
        name: mail.byAdministrator ? 'identity-unlinked-by-administrator' : template,
        time: mail.changedAt,
        detail: mail.provider,
      };
    case 'identity-linked':
      return { name: template, time: mail.changedAt, detail: mail.provider };
    case 'email-change-taken':
    case 'wrong-kind':
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

export const toInvitationContent = (
  { to, language, role, expiresAt, invitedBy }: InvitationMail,
  code: string,
  product: string,
  { consoleUrl }: MailPages,
): MailContent => {
  const texts = INVITATION_TEXTS[language];
  const { subject, headline, summary, notice, instruction, validity, advice, reason, accept } = texts;
  const isLinked = consoleUrl !== undefined;
  return {
    language,
    product,
    subject: subject(product),
    headline: headline(product),
    summary: summary(code, product),
    paragraphs: [
      `${notice(product, role, invitedBy)} ${instruction(product, isLinked)}`,
      validity(showAddress(to), formatTime(language, expiresAt, null)),
    ],
    code,
    advice,
    reason: reason(showAddress(to), invitedBy, product),
    // The link has the code behind `#`, like that of a mailed code, so that no server logs it.
    ...(isLinked && { action: { label: accept, url: `${consoleUrl}/invitation#${code}` } }),
  };
};

/** The reader can see and undo these changes in the own account, so their mails link to it. */
const OWN_CHANGES: ReadonlySet<NoticeMail['template']> = new Set([
  'email-change-requested',
  'password-changed',
  'wrong-factors',
  'setup-removed',
  'identity-linked',
  'identity-unlinked',
  'guessing-paused',
  'second-factor-changed',
] as const);

/** The button to a part of the own account. */
const toCheck = (
  { language, roles = [] }: NoticeMail,
  place: keyof AccountTexts['check'],
  pages: MailPages,
): Pick<MailContent, 'action'> => {
  const url = findAccountUrl(roles, pages);
  return url === undefined ? {} : { action: { label: TEXTS[language].check[place], url: `${url}#${place}` } };
};

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const toNewDeviceContent = (mail: DeviceMail, product: string, pages: MailPages): MailContent => {
  const { language, userAgent, signedInAt, timeZone = null, address } = mail;
  const { locale, device: toName, accountReason } = TEXTS[language];
  const { labels, unknownDevice, methods: names, ...texts } = NEW_DEVICE_TEXTS[language];
  const device = describeDevice(userAgent, toName) ?? unknownDevice;
  const methods = new Intl.ListFormat(locale).format(mail.methods.map((method) => names[method] ?? method));
  return {
    language,
    product,
    subject: texts.subject(device),
    headline: texts.headline,
    paragraphs: [texts.notice(product), texts.advice],
    fields: [
      { label: labels.device, value: device },
      { label: labels.time, value: formatTime(language, signedInAt, timeZone) },
      { label: labels.network, value: address },
      ...(methods === '' ? [] : [{ label: labels.methods, value: capitalise(methods) }]),
    ],
    ...toCheck(mail, 'devices', pages),
    reason: accountReason(product),
  };
};

/** Names the reader's kinds of account, and links their page. A platform role counts only without any. */
const toKind = ({ language, roles = [] }: NoticeMail, kindNames: KindNames, pages: MailPages) => {
  const { locale, signIn, administratorAccount } = TEXTS[language];
  const kinds = (['customer', 'employee'] as const).filter((kind) => roles.includes(kind.toUpperCase()));
  const names = kinds.map((kind) => kindNames[kind][language]);
  const url = findAccountUrl(kinds.length > 0 ? kinds.map((kind) => kind.toUpperCase()) : roles, pages);
  return {
    detail: names.length > 0 ? new Intl.ListFormat(locale).format(names) : administratorAccount,
    ...(url !== undefined && { action: { label: signIn, url } }),
  };
};

type NoticeOptions = {
  product: string;
  pages: MailPages;
  kindNames: KindNames;
  /** An e-mail address. */
  support: string | undefined;
};

export const toNoticeContent = (
  mail: NoticeMail,
  { product, pages, kindNames, support }: NoticeOptions,
): MailContent => {
  if (mail.template === 'new-device') return toNewDeviceContent(mail, product, pages);
  const { language, timeZone = null } = mail;
  const kind = mail.template === 'wrong-kind' ? toKind(mail, kindNames, pages) : undefined;
  const { name, time, detail = kind?.detail ?? '' } = toNotice(mail);
  const texts = TEXTS[language];
  const { subject, notice, advice, isForSupport } = texts.notices[name];
  const text = notice(time === undefined ? '' : formatTime(language, time, timeZone), product, detail);
  const contact = isForSupport && support ? ` ${texts.support(product, support)}` : '';
  return {
    language,
    product,
    subject,
    paragraphs: [text, advice(product) + contact],
    ...(OWN_CHANGES.has(mail.template) && toCheck(mail, 'signing-in', pages)),
    ...(kind?.action && { action: kind.action }),
    reason: texts.accountReason(product),
  };
};
