import type { ContactForm } from '@platform/shared/mail/mail';
import { type Field, layOut, type RenderedMail } from './layout.ts';

type Properties = { request: ContactForm };

const LABELS: Record<string, string> = {
  name: 'Name',
  email: 'E-mail',
  phone: 'Phone',
  company: 'Company',
  subject: 'Subject',
  message: 'Message',
};
const MULTI_LINE = new Set(['message']);

const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;
const CONTROLS = /\p{Cc}/gu;
/** Line breaks too; a run of spaces could push what follows to where the mail program wraps the line. */
const WHITE_SPACE_AND_CONTROLS = /[\s\p{Cc}]+/gu;

const toLine = (value: string): string => value.replace(WHITE_SPACE_AND_CONTROLS, ' ').trim();
const toLines = (value: string): string[] =>
  value.split(LINE_BREAK).map((line) => line.replace(CONTROLS, ' '));

/**
 * Every submitted field, in the text only: a stranger's input must not reach a header, nor look like another field. The
 * contract permits line breaks in every field, so this is where they lose their effect.
 */
const toFields = (request: ContactForm): Field[] =>
  Object.entries(LABELS).flatMap(([name, label]) => {
    const value = request[name];
    if (!value) return [];
    return [MULTI_LINE.has(name) ? { label, lines: toLines(value) } : { label, value: toLine(value) }];
  });

export const leadRequest = ({ request }: Properties): RenderedMail =>
  layOut({
    subject: 'New request for a project',
    paragraphs: ['Somebody left a request on the landing page.'],
    fields: toFields(request),
  });

export const supportRequest = ({ request }: Properties): RenderedMail =>
  layOut({
    subject: 'New support request',
    paragraphs: ['Somebody asks for support.'],
    fields: toFields(request),
  });
