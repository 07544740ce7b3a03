import type { ContactForm, FormMail } from '@platform/shared/platform/mail/mail';
import type { Field, MailContent } from './layout.ts';

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
const CONTROL_CHARACTERS = /\p{Cc}/gu;
/** Includes line breaks. A run of spaces could move the text after it to the start of a wrapped line. */
const WHITE_SPACE_AND_CONTROLS = /[\s\p{Cc}]+/gu;

export const toLine = (value: string): string => value.replace(WHITE_SPACE_AND_CONTROLS, ' ').trim();
/** Replaces the other control characters by spaces. */
export const toLines = (value: string): string[] =>
  value.split(LINE_BREAK).map((line) => line.replace(CONTROL_CHARACTERS, ' '));

/** Without white space at the end, a line cannot begin a signature (`-- `), which mail programs hide. */
export const toParagraphs = (text: string): string[] =>
  toLines(text)
    .map((line) => line.trimEnd())
    .join('\n')
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph !== '');

/**
 * Untrusted input must not reach a header other than Reply-To, and must not imitate another field, so the
 * fields appear only in the body. The contract permits line breaks in every field; they are removed here.
 */
const toFields = (request: ContactForm): Field[] =>
  Object.entries(LABELS).flatMap(([name, label]) => {
    const value = request[name];
    if (!value) return [];
    return [MULTI_LINE.has(name) ? { label, lines: toLines(value) } : { label, value: toLine(value) }];
  });

/**
 * The contract's format of an address: no space, comma, bracket or line break, which could end the header or
 * add to it.
 */
const ADDRESS = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9.-]{1,189}$/i;

const TEXTS = {
  'lead-request': {
    subject: 'New request for a project',
    introduction: 'Somebody left a request on the landing page.',
  },
  'support-request': { subject: 'New support request', introduction: 'Somebody asked for support.' },
};

/** These mails go to the team and are always in English. */
export const toContactContent = ({ template, request }: FormMail, product: string): MailContent => {
  const { subject, introduction } = TEXTS[template];
  const { email } = request;
  return {
    language: 'en',
    product,
    subject,
    paragraphs: [introduction],
    fields: toFields(request),
    ...(email !== undefined && ADDRESS.test(email) && { replyTo: email }),
  };
};
