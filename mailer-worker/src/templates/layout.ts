import { escapeHtml } from '@platform/shared/http/escape-html';
import type { Language } from '@platform/shared/http/language';
import type { MailAction } from '@platform/shared/platform/mail/mail';
import { createMailStyle, type MailAppearance, type MailStyle } from './mail-style.ts';

/** The logos are attached with these Content-IDs. */
export const LOGO_ID = 'logo';
export const DARK_LOGO_ID = 'logo-dark';

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
  /** The subject does not contain it, because mail programs show it as the sender. */
  product: string;
  /** The headline, too, unless `headline` is another one. */
  subject: string;
  headline?: string;
  /**
   * The first line of the text, which is the subject by default. Hidden in the HTML, where mail programs read
   * it for their list of mails.
   */
  summary?: string;
  /** May have line breaks. */
  paragraphs: string[];
  /** A button below the paragraphs. */
  action?: MailAction;
  /** A link below the paragraphs. */
  link?: MailAction;
  /** Follows in small print, for recipients whom the mail does not concern. */
  advice?: string;
  /** Why the recipient gets the mail. */
  reason?: string;
  sender?: string;
  /** Follow the first paragraph. */
  fields?: Field[];
  /** Follows the first paragraph. Displayed large in the HTML. */
  code?: string;
  replyTo?: string;
};

/** Without `format-detection`, iOS turns codes into telephone links. */
const toHead = ({ sheet }: MailStyle, subject: string): string =>
  [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="supported-color-schemes" content="light dark">',
    '<meta name="format-detection" content="telephone=no">',
    `<title>${escapeHtml(subject)}</title>`,
    `<style>${sheet}</style>`,
    // Outlook may take Times for a list of fonts whose first one it does not know.
    '<!--[if mso]><style>*{font-family:Arial,sans-serif!important}</style><![endif]-->',
  ].join('');

const toParagraph = (style: MailStyle, html: string): string =>
  `<p class="text" style="${style.paragraph}">${html}</p>`;

const toRow = (style: MailStyle, { label, value }: { label: string; value: string }): string =>
  `<tr><th class="muted line" scope="row" style="${style.factLabel}">${escapeHtml(label)}</th>` +
  `<td class="text line" style="${style.fact}">${escapeHtml(value)}</td></tr>`;

const toQuote = (style: MailStyle, { label, lines }: { label: string; lines: string[] }): string =>
  toParagraph(style, `<strong>${escapeHtml(label)}:</strong>`) +
  `<blockquote class="text" style="${style.quote}">${lines.map(escapeHtml).join('<br>')}</blockquote>`;

/** One table of the values, then the quotes. */
const fieldsToHtml = (style: MailStyle, fields: Field[]): string => {
  const rows = fields.map((field) => ('value' in field ? toRow(style, field) : '')).join('');
  const quotes = fields.map((field) => ('value' in field ? '' : toQuote(style, field)));
  return [
    rows && `<table cellpadding="0" cellspacing="0" style="${style.facts}">${rows}</table>`,
    ...quotes,
  ].join('');
};

const fieldToText = (field: Field): string =>
  'value' in field
    ? `${field.label}: ${field.value}`
    : [`${field.label}:`, ...field.lines.map((line) => `> ${line}`)].join('\n');

const SHORT_CODE_LENGTH = 8;

const toCodeBlock = (style: MailStyle, code: string): string =>
  `<p class="box" style="${code.length > SHORT_CODE_LENGTH ? style.longCode : style.code}">${escapeHtml(code)}</p>`;

const WORDS: Record<Language, { support: string; terms: string; privacy: string; noButton: string }> = {
  en: {
    support: 'Support',
    terms: 'Terms',
    privacy: 'Privacy',
    noButton: 'If the button does not work, open this address:',
  },
  de: {
    support: 'Support',
    terms: 'Nutzungsbedingungen',
    privacy: 'Datenschutz',
    noButton: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
  },
};

const toAnchor = (style: MailStyle, { label, url }: MailAction): string =>
  `<a class="link" href="${escapeHtml(url)}" style="${style.link}">${escapeHtml(label)}</a>`;

/** One row. Outlook gives cells their size and padding, but not links and words. */
const toTable = (style: string, cells: string): string =>
  `<table class="wide" role="presentation" cellpadding="0" cellspacing="0" style="${style}"><tr>${cells}</tr></table>`;

const toButton = (style: MailStyle, { label, url }: MailAction, language: Language): string => {
  const href = escapeHtml(url);
  return (
    toTable(
      style.buttonLine,
      `<td class="accent" style="${style.buttonCell}"><a class="accent button" href="${href}" style="${style.button}">${escapeHtml(label)}</a></td>`,
    ) +
    `<p class="muted" style="${style.small}">${WORDS[language].noButton} ${toAnchor(style, { label: url, url })}</p>`
  );
};

type Link = { label: string; url: string; address?: string };

const listLinks = (language: Language, appearance: MailAppearance): Link[] => {
  const { supportEmail, termsUrl, privacyUrl } = appearance;
  const { support, terms, privacy } = WORDS[language];
  return [
    ...(supportEmail === undefined
      ? []
      : [{ label: support, url: `mailto:${supportEmail}`, address: supportEmail }]),
    ...(termsUrl === undefined ? [] : [{ label: terms, url: termsUrl }]),
    ...(privacyUrl === undefined ? [] : [{ label: privacy, url: privacyUrl }]),
  ];
};

const toEnd = (style: MailStyle, reason: string | undefined, links: Link[]): string => {
  const anchors = links.map(
    ({ label, url }) =>
      `<a class="muted" href="${escapeHtml(url)}" style="${style.footLink}">${escapeHtml(label)}</a>`,
  );
  const lines = [
    ...(reason === undefined ? [] : [escapeHtml(reason)]),
    ...(anchors.length > 0 ? [anchors.join(' ')] : []),
  ];
  if (lines.length === 0) return '';
  const paragraphs = lines.map((line) => `<p class="muted" style="${style.foot}">${line}</p>`);
  return `<div class="end" style="${style.end}">${paragraphs.join('')}</div>`;
};

const toImage = (style: MailStyle, id: string, product: string, shown: string): string =>
  `<img${shown} src="cid:${id}" alt="${escapeHtml(product)}" height="36" style="${style.logo}">`;

/** A logo stands alone; without one, the first letter stands beside the name. */
const toBrand = (style: MailStyle, product: string, { hasLogo, hasDarkLogo }: MailAppearance): string => {
  if (hasLogo && hasDarkLogo) {
    const dark = toImage(
      { ...style, logo: `${style.logo};display:none` },
      DARK_LOGO_ID,
      product,
      ' class="dark"',
    );
    // Outlook would show both.
    return `${toImage(style, LOGO_ID, product, ' class="light"')}<!--[if !mso]><!-->${dark}<!--<![endif]-->`;
  }
  if (hasLogo) return toImage(style, LOGO_ID, product, '');
  const [letter] = new Intl.Segmenter().segment(product.toUpperCase());
  return toTable(
    style.brand,
    `<td class="accent" width="36" style="${style.mark}" aria-hidden="true">${escapeHtml(letter?.segment ?? '')}</td>` +
      `<td class="text" style="${style.name}">${escapeHtml(product)}</td>`,
  );
};

const toHtml = (content: MailContent, appearance: MailAppearance): string => {
  const { language, product, subject, headline = subject, summary, fields = [] } = content;
  const { code, action, link, advice, reason } = content;
  const style = createMailStyle(appearance);
  const [first = '', ...rest] = content.paragraphs.map((text) =>
    toParagraph(style, escapeHtml(text).replaceAll('\n', '<br>')),
  );
  const body = [
    toBrand(style, product, appearance),
    `<h1 class="text" style="${style.headline}">${escapeHtml(headline)}</h1>`,
    first,
    code === undefined ? '' : toCodeBlock(style, code),
    fieldsToHtml(style, fields),
    ...rest,
    link === undefined ? '' : toParagraph(style, toAnchor(style, link)),
    action === undefined ? '' : toButton(style, action, language),
    advice === undefined ? '' : `<p class="muted" style="${style.small}">${escapeHtml(advice)}</p>`,
  ].join('');
  const preheader = summary === undefined ? '' : `<div style="${style.hidden}">${escapeHtml(summary)}</div>`;
  return (
    `<!doctype html><html lang="${language}"><head>${toHead(style, subject)}</head>` +
    `<body class="ground" style="${style.body}">${preheader}` +
    // Outlook ignores the width of a div.
    '<!--[if mso]><table role="presentation" width="512" align="center"><tr><td><![endif]-->' +
    `<div class="outer" style="${style.outer}"><div class="card" style="${style.card}">${body}</div>` +
    `${toEnd(style, reason, listLinks(language, appearance))}</div>` +
    '<!--[if mso]></td></tr></table><![endif]--></body></html>'
  );
};

export const layOut = (content: MailContent, appearance: MailAppearance): RenderedMail => {
  const { language, product, subject, headline = subject, summary, paragraphs, fields = [] } = content;
  const { replyTo, code, action, link, advice, reason, sender } = content;
  const [first, ...rest] = paragraphs;
  const facts = fields.map(fieldToText).join('\n');
  const [button, anchor] = [action, link].map((each) => each && `${each.label}: ${each.url}`);
  const lines = [
    summary ?? headline,
    first,
    code,
    facts || undefined,
    ...rest,
    anchor,
    button,
    advice,
    reason,
  ].filter((line) => line !== undefined);
  const links = listLinks(language, appearance).map(
    ({ label, url, address = url }) => `${label}: ${address}`,
  );
  return {
    subject,
    text: `${[...lines, ['-- ', product, ...links].join('\n')].join('\n\n')}\n`,
    html: toHtml(content, appearance),
    ...(replyTo !== undefined && { replyTo }),
    ...(sender !== undefined && { sender }),
  };
};
