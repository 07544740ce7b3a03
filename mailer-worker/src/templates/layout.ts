import { escapeHtml } from '@platform/shared/http/escape-html';
import type { Language } from '@platform/shared/http/language';
import type { MailAction } from '@platform/shared/platform/mail/mail';

/** The logo is attached with this Content-ID. */
export const LOGO_ID = 'logo';

/** The logo, the colour and the links of the pages, if they are set. */
export type MailAppearance = {
  hasLogo: boolean;
  accentColour?: string | undefined;
  termsUrl?: string | undefined;
  privacyUrl?: string | undefined;
};

export type RenderedMail = {
  /** The name of the sender; by default that of the platform. */
  sender?: string;
  subject: string;
  text: string;
  html: string;
  replyTo?: string;
};

/** A value has no line breaks. Several lines are quoted, so that none of them imitates a field. */
export type Field = { label: string; value: string } | { label: string; lines: string[] };

export type MailContent = {
  language: Language;
  /** Not part of the subject, because mail programs show it as the sender. */
  product: string;
  /** Also the headline. */
  subject: string;
  /**
   * The first line of the text, which is the subject by default. Hidden in the HTML, where mail programs read
   * it for their list of mails.
   */
  summary?: string;
  /** May have line breaks. */
  paragraphs: string[];
  /** A link below the paragraphs. */
  action?: MailAction;
  /** Why the recipient gets the mail. */
  reason?: string;
  sender?: string;
  fields?: Field[];
  /** Displayed large in the HTML; in the text it is part of the summary. */
  code?: string;
  /** Follows the first paragraph. */
  link?: string;
  replyTo?: string;
};

const FONT = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif';
const BODY = `margin:0;padding:24px;background:#f5f5f4;color:#1c1917;${FONT}`;
const CARD =
  'max-width:480px;margin:0 auto;padding:32px;background:#fff;border-radius:8px;overflow-wrap:anywhere';
const LOGO = 'display:block;max-width:200px;height:40px;margin:0 0 12px;border:0';
const BRAND = 'margin:0 0 24px;font-weight:600';
const HEADLINE = 'margin:0 0 16px;font-size:22px;line-height:1.3';
const CODE = 'margin:0 0 16px;font-size:32px;font-weight:600;letter-spacing:6px';
/** For a code that is too long for one line. */
const LONG_CODE = 'margin:0 0 16px;font-size:18px;font-weight:600;line-height:1.5';
const QUOTE = 'margin:0 0 16px;padding-left:12px;border-left:3px solid #a8a29e;line-height:1.5';
const ACTION = 'color:inherit;font-weight:600';
const FOOT = 'margin:24px 0 0;font-size:13px;line-height:1.5';
const HIDDEN = 'display:none;max-height:0;overflow:hidden;mso-hide:all';

/**
 * Mail programs that ignore style elements show the inline styles: light, with the padding of a wide screen.
 */
const STYLES = [
  ':root{color-scheme:light dark;supported-color-schemes:light dark}',
  '@media (prefers-color-scheme:dark){body{background:#1c1917!important;color:#f5f5f4!important}',
  '.card{background:#292524!important}}',
  '@media (max-width:520px){body{padding:8px!important}.card{padding:20px!important}}',
].join('');

/** Without `format-detection`, iOS turns codes into telephone links. */
const HEAD = [
  '<meta charset="utf-8">',
  '<meta name="viewport" content="width=device-width,initial-scale=1">',
  '<meta name="color-scheme" content="light dark">',
  '<meta name="supported-color-schemes" content="light dark">',
  '<meta name="format-detection" content="telephone=no">',
  `<style>${STYLES}</style>`,
].join('');

const paragraph = (html: string): string => `<p style="margin:0 0 16px;line-height:1.5">${html}</p>`;

const fieldToHtml = (field: Field): string => {
  const label = `<strong>${escapeHtml(field.label)}:</strong>`;
  if ('value' in field) return paragraph(`${label} ${escapeHtml(field.value)}`);
  const lines = field.lines.map(escapeHtml).join('<br>');
  return `${paragraph(label)}<blockquote style="${QUOTE}">${lines}</blockquote>`;
};

const fieldToText = (field: Field): string =>
  'value' in field
    ? `${field.label}: ${field.value}`
    : [`${field.label}:`, ...field.lines.map((line) => `> ${line}`)].join('\n');

const SHORT_CODE_LENGTH = 8;

const toCodeBlock = (code: string): string =>
  `<p style="${code.length > SHORT_CODE_LENGTH ? LONG_CODE : CODE}">${escapeHtml(code)}</p>`;

const toLink = (url: string): string =>
  paragraph(`<a href="${escapeHtml(url)}" style="color:inherit">${escapeHtml(url)}</a>`);

const toAction = ({ label, url }: MailAction): string =>
  paragraph(`<a href="${escapeHtml(url)}" style="${ACTION}">${escapeHtml(label)}</a>`);

/** Decoration only, because mail programs change colours in dark mode. */
const toCardStyle = (accentColour: string | undefined): string =>
  accentColour === undefined ? CARD : `${CARD};border-top:4px solid ${accentColour}`;

const LINK_WORDS: Record<Language, { terms: string; privacy: string }> = {
  en: { terms: 'Terms', privacy: 'Privacy' },
  de: { terms: 'Nutzungsbedingungen', privacy: 'Datenschutz' },
};

type Link = { label: string; url: string };

const listLinks = ({ language }: MailContent, { termsUrl, privacyUrl }: MailAppearance): Link[] => {
  const { terms, privacy } = LINK_WORDS[language];
  return [
    ...(termsUrl === undefined ? [] : [{ label: terms, url: termsUrl }]),
    ...(privacyUrl === undefined ? [] : [{ label: privacy, url: privacyUrl }]),
  ];
};

const toFoot = (links: Link[]): string => {
  if (links.length === 0) return '';
  const anchors = links.map(
    ({ label, url }) => `<a href="${escapeHtml(url)}" style="color:inherit">${label}</a>`,
  );
  return `<p style="${FOOT}">${anchors.join(' · ')}</p>`;
};

/** The name of the product stands below it, so that the image needs no other text. */
const LOGO_IMAGE = `<img src="cid:${LOGO_ID}" alt="" height="40" style="${LOGO}">`;

const toHtml = (content: MailContent, appearance: MailAppearance): string => {
  const {
    language,
    product,
    subject,
    summary,
    paragraphs,
    fields = [],
    code,
    link,
    action,
    reason,
  } = content;
  const { hasLogo, accentColour } = appearance;
  const foot = toFoot(listLinks(content, appearance));
  const [first = '', ...rest] = paragraphs.map((text) =>
    paragraph(escapeHtml(text).replaceAll('\n', '<br>')),
  );
  const preheader = summary === undefined ? '' : `<div style="${HIDDEN}">${escapeHtml(summary)}</div>`;
  const linkBlock = link === undefined ? '' : toLink(link);
  const actionBlock = action === undefined ? '' : toAction(action);
  const reasonBlock = reason === undefined ? '' : `<p style="${FOOT}">${escapeHtml(reason)}</p>`;
  const codeBlock = code === undefined ? '' : toCodeBlock(code);
  return (
    `<!doctype html><html lang="${language}"><head>${HEAD}<title>${escapeHtml(subject)}</title></head>` +
    `<body style="${BODY}">${preheader}<div class="card" style="${toCardStyle(accentColour)}">` +
    `${hasLogo ? LOGO_IMAGE : ''}<p style="${BRAND}">${escapeHtml(product)}</p><h1 style="${HEADLINE}">${escapeHtml(subject)}</h1>` +
    `${first}${linkBlock}${codeBlock}${rest.join('')}${fields.map(fieldToHtml).join('')}${actionBlock}${reasonBlock}${foot}</div></body></html>`
  );
};

export const layOut = (content: MailContent, appearance: MailAppearance): RenderedMail => {
  const {
    product,
    subject,
    summary,
    paragraphs,
    fields = [],
    replyTo,
    link,
    action,
    reason,
    sender,
  } = content;
  const [first, ...rest] = paragraphs;
  const lines = [summary ?? subject, first, link, ...rest].filter((line) => line !== undefined);
  const end = [action && `${action.label}: ${action.url}`, reason].filter((line) => line !== undefined);
  const foot = [
    '-- ',
    product,
    ...listLinks(content, appearance).map(({ label, url }) => `${label}: ${url}`),
  ];
  return {
    subject,
    text: `${[...lines, ...fields.map(fieldToText), ...end, foot.join('\n')].join('\n\n')}\n`,
    html: toHtml(content, appearance),
    ...(replyTo !== undefined && { replyTo }),
    ...(sender !== undefined && { sender }),
  };
};
