import type { CodeCipher } from '@platform/shared/mail/code-encryption';
import type { ContactForm, Mail, MailOf } from '@platform/shared/mail/mail';
import { type Field, layOut, type RenderedMail } from './layout.ts';

/** A decoy takes the time of a mail but is never sent. */
export type SendableMail = Exclude<Mail, { template: 'decoy' }>;

type Templates = { [Template in SendableMail['template']]: (mail: MailOf<Template>) => RenderedMail };

const NOT_REQUESTED =
  'If you did not request this code, ignore this mail: nothing changes, and nobody else has the code.';

const verificationCode = (code: string): RenderedMail =>
  layOut({
    subject: 'Your verification code',
    paragraphs: [
      'Enter this code to verify your e-mail address:',
      'It is valid for 15 minutes.',
      NOT_REQUESTED,
    ],
    code,
  });

const resetPasswordCode = (code: string): RenderedMail =>
  layOut({
    subject: 'Your code to reset the password',
    paragraphs: ['Enter this code to choose a new password:', 'It is valid for 15 minutes.', NOT_REQUESTED],
    code,
  });

const toUtc = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

const passwordChanged = ({ changedAt }: MailOf<'password-changed'>): RenderedMail =>
  layOut({
    subject: 'Your password was changed',
    paragraphs: [
      `The password of your account was changed on ${toUtc(changedAt)}. Other devices were signed out.`,
      'If it was not you, reset the password now: on the sign-in page, choose “Forgot password”.',
    ],
  });

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
/** Line breaks too. A run of spaces could move the following text to the start of a wrapped line. */
const WHITE_SPACE_AND_CONTROLS = /[\s\p{Cc}]+/gu;

const toLine = (value: string): string => value.replace(WHITE_SPACE_AND_CONTROLS, ' ').trim();
const toLines = (value: string): string[] =>
  value.split(LINE_BREAK).map((line) => line.replace(CONTROL_CHARACTERS, ' '));

/**
 * The submitted fields appear only in the body: untrusted input must not reach a header, nor imitate another field. The
 * contract permits line breaks in every field, so they are removed here.
 */
const toFields = (request: ContactForm): Field[] =>
  Object.entries(LABELS).flatMap(([name, label]) => {
    const value = request[name];
    if (!value) return [];
    return [MULTI_LINE.has(name) ? { label, lines: toLines(value) } : { label, value: toLine(value) }];
  });

const leadRequest = ({ request }: MailOf<'lead-request'>): RenderedMail =>
  layOut({
    subject: 'New request for a project',
    paragraphs: ['Somebody left a request on the landing page.'],
    fields: toFields(request),
  });

const supportRequest = ({ request }: MailOf<'support-request'>): RenderedMail =>
  layOut({
    subject: 'New support request',
    paragraphs: ['Somebody asks for support.'],
    fields: toFields(request),
  });

/** Renders subject, text and HTML. A mail without a template does not compile. */
export const createMailRenderer = ({ decrypt }: CodeCipher) => {
  const templates: Templates = {
    'verification-code': ({ sealedCode }) => verificationCode(decrypt(sealedCode)),
    'reset-password-code': ({ sealedCode }) => resetPasswordCode(decrypt(sealedCode)),
    'password-changed': passwordChanged,
    'lead-request': leadRequest,
    'support-request': supportRequest,
  };
  return (mail: SendableMail): RenderedMail => templates[mail.template](mail as never);
};

export type RenderMail = ReturnType<typeof createMailRenderer>;
