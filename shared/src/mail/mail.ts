/** What somebody filled in, by field. */
export type ContactForm = Readonly<Record<string, string>>;

/** A mail to be sent, by intent: only the worker knows how it reads. Codes travel sealed (sealed-code.ts). */
export type Mail =
  | { template: 'verification-code'; to: string; sealedCode: string; expiresAt: string }
  | { template: 'reset-password-code'; to: string; sealedCode: string; expiresAt: string }
  | { template: 'password-changed'; to: string; changedAt: string }
  | { template: 'lead-request'; to: string; request: ContactForm }
  | { template: 'support-request'; to: string; request: ContactForm }
  /** Never sent: queued where no mail is due, so that the answer takes the time of one that queues a mail. */
  | { template: 'decoy' };

export type MailOf<Template extends Mail['template']> = Extract<Mail, { template: Template }>;

/** What the queue holds; `requestId` names the request that caused the mail, in every log. */
export type MailJob = {
  mail: Mail;
  requestId: string;
  inOutbox: boolean;
  /** When the mail was asked for, in ISO 8601. */
  askedAt?: string;
  /** The trace that the request was part of. */
  traceparent?: string;
};

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isForm = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((field) => typeof field === 'string');

type Checks<Template extends Mail['template']> = {
  readonly [Field in Exclude<keyof MailOf<Template>, 'template'>]: (value: unknown) => boolean;
};

const FIELDS: { [Template in Mail['template']]: Checks<Template> } = {
  'verification-code': { to: isText, sealedCode: isText, expiresAt: isText },
  'reset-password-code': { to: isText, sealedCode: isText, expiresAt: isText },
  'password-changed': { to: isText, changedAt: isText },
  'lead-request': { to: isText, request: isForm },
  'support-request': { to: isText, request: isForm },
  decoy: {},
};

export const TEMPLATES = Object.keys(FIELDS) as Mail['template'][];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const isTemplate = (value: unknown): value is Mail['template'] =>
  typeof value === 'string' && Object.hasOwn(FIELDS, value);

/** The template of what the queue holds, `unknown` where it is none of ours: metrics name it. */
export const toTemplateLabel = (name: unknown): Mail['template'] | 'unknown' =>
  isTemplate(name) ? name : 'unknown';

/** Reads what another process, perhaps of another release, has queued. @throws TypeError that says what is wrong. */
export const parseMailJob = (data: unknown): MailJob => {
  if (!isRecord(data) || !isRecord(data.mail)) throw new TypeError('Malformed mail job: it holds no mail');
  const { mail, requestId, inOutbox, askedAt, traceparent } = data;
  const { template } = mail;
  if (!isTemplate(template)) throw new TypeError(`Unknown mail template: ${JSON.stringify(template)}`);
  const wrong = Object.entries<(value: unknown) => boolean>(FIELDS[template])
    .filter(([field, isRight]) => !isRight(mail[field]))
    .map(([field]) => field);
  if (wrong.length > 0)
    throw new TypeError(`Malformed ${template} mail: ${wrong.join(', ')} missing or wrong`);
  return {
    mail: mail as Mail,
    requestId: typeof requestId === 'string' ? requestId : 'unknown',
    inOutbox: inOutbox === true,
    ...(typeof askedAt === 'string' && { askedAt }),
    ...(typeof traceparent === 'string' && { traceparent }),
  };
};
