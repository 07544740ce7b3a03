/** What a template makes of its properties. */
export type RenderedMail = { subject: string; text: string; html: string };

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text from outside never becomes markup. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

type Content = {
  subject: string;
  paragraphs: string[];
  /** Shown large, for the eye to copy. */
  code?: string;
};

const FONT = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif';

const toHtml = ({ subject, paragraphs, code }: Content): string => {
  const [first = '', ...rest] = paragraphs.map(
    (paragraph) =>
      `<p style="margin:0 0 16px;line-height:1.5">${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`,
  );
  const codeBlock =
    code === undefined
      ? ''
      : `<p style="margin:0 0 16px;font-size:32px;font-weight:600;letter-spacing:6px">${escapeHtml(code)}</p>`;
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>` +
    `<body style="margin:0;padding:24px;background:#f5f5f4;color:#1c1917;${FONT}">` +
    `<div style="max-width:480px;margin:0 auto;padding:32px;background:#fff;border-radius:8px">` +
    `${first}${codeBlock}${rest.join('')}</div></body></html>`
  );
};

/** The same content as text and as HTML; both say everything. */
export const layOut = (content: Content): RenderedMail => {
  const { subject, paragraphs, code } = content;
  const [first = '', ...rest] = paragraphs;
  const lines = code === undefined ? paragraphs : [first, code, ...rest];
  return { subject, text: `${lines.join('\n\n')}\n`, html: toHtml(content) };
};
