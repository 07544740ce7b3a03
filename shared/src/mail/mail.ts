/** A mail to be sent, by intent: only the worker knows how it reads. Codes travel sealed (sealed-code.ts). */
export type Mail =
  | { template: 'verification-code'; to: string; sealedCode: string; expiresAt: string }
  | { template: 'reset-password-code'; to: string; sealedCode: string; expiresAt: string }
  | { template: 'password-changed'; to: string; changedAt: string }
  /** Never sent: queued where no mail is due, so that the answer takes the time of one that queues a mail. */
  | { template: 'decoy' };

export type MailOf<Template extends Mail['template']> = Extract<Mail, { template: Template }>;

/** What the queue holds; `requestId` names the request that caused the mail, in every log. */
export type MailJob = { mail: Mail; requestId: string; inOutbox: boolean };

const FIELDS: { [Template in Mail['template']]: readonly Exclude<keyof MailOf<Template>, 'template'>[] } = {
  'verification-code': ['to', 'sealedCode', 'expiresAt'],
  'reset-password-code': ['to', 'sealedCode', 'expiresAt'],
  'password-changed': ['to', 'changedAt'],
  decoy: [],
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const isTemplate = (value: unknown): value is Mail['template'] =>
  typeof value === 'string' && Object.hasOwn(FIELDS, value);

/** Reads what another process, perhaps of another release, has queued. @throws TypeError that says what is wrong. */
export const parseMailJob = (data: unknown): MailJob => {
  if (!isRecord(data) || !isRecord(data.mail)) throw new TypeError('Malformed mail job: it holds no mail');
  const { mail, requestId, inOutbox } = data;
  const { template } = mail;
  if (!isTemplate(template)) throw new TypeError(`Unknown mail template: ${JSON.stringify(template)}`);
  const missing = FIELDS[template].filter((field) => typeof mail[field] !== 'string' || mail[field] === '');
  if (missing.length > 0) throw new TypeError(`Malformed ${template} mail: ${missing.join(', ')} missing`);
  return {
    mail: mail as Mail,
    requestId: typeof requestId === 'string' ? requestId : 'unknown',
    inOutbox: inOutbox === true,
  };
};
