export type RenderedMail = { subject: string; text: string; html: string };

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** A value without line breaks, or several lines, which are quoted so that none of them imitates a field. */
export type Field = { label: string; value: string } | { label: string; lines: string[] };

type Content = {
  subject: string;
  paragraphs: string[];
  /** Below the paragraphs. */
  fields?: Field[];
  /** Displayed large, to be typed by the reader. */
  code?: string;
};

const FONT = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif';
const QUOTE = 'margin:0 0 16px;padding-left:12px;border-left:3px solid #a8a29e;line-height:1.5';

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

const toHtml = ({ subject, paragraphs, fields = [], code }: Content): string => {
  const [first = '', ...rest] = paragraphs.map((text) => paragraph(escapeHtml(text)));
  const codeBlock =
    code === undefined
      ? ''
      : `<p style="margin:0 0 16px;font-size:32px;font-weight:600;letter-spacing:6px">${escapeHtml(code)}</p>`;
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>` +
    `<body style="margin:0;padding:24px;background:#f5f5f4;color:#1c1917;${FONT}">` +
    `<div style="max-width:480px;margin:0 auto;padding:32px;background:#fff;border-radius:8px">` +
    `${first}${codeBlock}${rest.join('')}${fields.map(fieldToHtml).join('')}</div></body></html>`
  );
};

/** Renders the same content as text and as HTML. */
export const layOut = (content: Content): RenderedMail => {
  const { subject, paragraphs, fields = [], code } = content;
  const [first = '', ...rest] = paragraphs;
  const lines = code === undefined ? paragraphs : [first, code, ...rest];
  return {
    subject,
    text: `${[...lines, ...fields.map(fieldToText)].join('\n\n')}\n`,
    html: toHtml(content),
  };
};
