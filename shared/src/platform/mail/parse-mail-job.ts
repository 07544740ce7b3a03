import { toLanguage } from '../../http/language.ts';
import { toTimeZone } from '../../http/time-zone.ts';
import { ACCOUNT_KINDS, FIELDS, isRecord, isTemplate, isText, type Mail, type MailJob } from './mail.ts';

const toTexts = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : []);
const toTextOrNull = (value: unknown): string | null => (isText(value) ? value : null);
const isTrue = (value: unknown): boolean => value === true;

const REPLACEMENTS: Readonly<Record<string, (value: unknown) => unknown>> = {
  timeZone: (value) => toTimeZone(value) ?? null,
  kind: (value) => ACCOUNT_KINDS.find((kind) => kind === value) ?? null,
  language: toLanguage,
  roles: toTexts,
  methods: toTexts,
  invitedBy: toTextOrNull,
  userAgent: toTextOrNull,
  userId: toTextOrNull,
  returnTo: toTextOrNull,
  isEmailVerified: isTrue,
  byAdministrator: isTrue,
};

/** Replaces unknown values in fields that the mail or its template has. */
const normalise = (mail: Record<string, unknown>, fields: object): Record<string, unknown> => {
  const replaced = Object.entries(REPLACEMENTS).filter(([field]) => field in mail || field in fields);
  return { ...mail, ...Object.fromEntries(replaced.map(([field, to]) => [field, to(mail[field])])) };
};

/**
 * Parses a job that another process queued, possibly of another release. @throws TypeError that names the
 * invalid fields
 */
export const parseMailJob = (data: unknown): MailJob => {
  if (!isRecord(data) || !isRecord(data.mail)) throw new TypeError('Malformed mail job: no mail');
  const { mail, requestId, userId, inOutbox, askedAt, traceparent } = data;
  const { template } = mail;
  if (!isTemplate(template)) throw new TypeError(`Unknown mail template: ${JSON.stringify(template)}`);
  const invalid = Object.entries<(value: unknown) => boolean>(FIELDS[template])
    .filter(([field, isValid]) => !isValid(mail[field]))
    .map(([field]) => field);
  if (invalid.length > 0)
    throw new TypeError(`Malformed ${template} mail: ${invalid.join(', ')} missing or invalid`);
  return {
    mail: normalise(mail, FIELDS[template]) as Mail,
    requestId: typeof requestId === 'string' ? requestId : 'unknown',
    ...(typeof userId === 'string' && { userId }),
    inOutbox: inOutbox === true,
    ...(typeof askedAt === 'string' && { askedAt }),
    ...(typeof traceparent === 'string' && { traceparent }),
  };
};
