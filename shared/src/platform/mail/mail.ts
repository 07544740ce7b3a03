import { type Language, toLanguage } from '../../http/language.ts';

export type ContactForm = Readonly<Record<string, string>>;

/** The changes of second factors that their owner is notified of. */
export const SECOND_FACTOR_CHANGES = [
  'totp-enabled',
  'totp-disabled',
  'passkey-added',
  'passkey-removed',
  'recovery-codes-replaced',
  'recovery-code-used',
  'reset-by-administrator',
] as const;
export type SecondFactorChange = (typeof SECOND_FACTOR_CHANGES)[number];

/** The secrets whose guessing pauses an account. */
export const GUESSED_SECRETS = ['password', 'second-factor', 'code'] as const;
export type GuessedSecret = (typeof GUESSED_SECRETS)[number];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isForm = (value: unknown): value is ContactForm =>
  isRecord(value) && Object.values(value).every((field) => typeof field === 'string');
const isOneOf =
  <Value>(values: readonly Value[]) =>
  (value: unknown): value is Value =>
    values.some((each) => each === value);
/**
 * Accepts any value: `parseMailJob` replaces an unknown language by the default, because a mail must not fail
 * because of its language.
 */
const isLanguage = (_value: unknown): _value is Language => true;

const USER_FIELDS = { to: isText, language: isLanguage };
/** Codes are encrypted (code-encryption.ts). */
const CODE_FIELDS = { ...USER_FIELDS, sealedCode: isText, expiresAt: isText };
const FORM_FIELDS = { to: isText, request: isForm };

/** The fields of each mail with their checks. Times are in ISO 8601. */
const FIELDS = {
  'verification-code': CODE_FIELDS,
  'reset-password-code': CODE_FIELDS,
  'email-change-code': CODE_FIELDS,
  /** Sent instead of a code if the address already has an account. */
  'email-change-taken': USER_FIELDS,
  'email-change-requested': { ...USER_FIELDS, requestedAt: isText },
  'email-changed': { ...USER_FIELDS, changedAt: isText },
  'password-changed': { ...USER_FIELDS, changedAt: isText },
  'second-factor-changed': { ...USER_FIELDS, changedAt: isText, change: isOneOf(SECOND_FACTOR_CHANGES) },
  /** `address` is the IP address of the client. */
  'new-device': { ...USER_FIELDS, signedInAt: isText, address: isText },
  'account-deleted': { ...USER_FIELDS, deletedAt: isText },
  /** Sent after many failures from any networks. */
  'guessing-paused': { ...USER_FIELDS, secret: isOneOf(GUESSED_SECRETS), pausedUntil: isText },
  /** Sent after wrong factors that followed the correct password. */
  'wrong-factors': { ...USER_FIELDS, attemptedAt: isText },
  'platform-role-removed': { ...USER_FIELDS, role: isText, changedAt: isText },
  /** Sent after deleting what was set up before the address was verified. */
  'setup-removed': { ...USER_FIELDS, changedAt: isText },
  /** `provider` is the display name. */
  'identity-linked': { ...USER_FIELDS, changedAt: isText, provider: isText },
  'identity-unlinked': { ...USER_FIELDS, changedAt: isText, provider: isText },
  'lead-request': FORM_FIELDS,
  'support-request': FORM_FIELDS,
  /** Never sent. Queued for an unknown e-mail, so that the response takes as long as for a known one. */
  decoy: {},
};

type Fields<Checks> = {
  [Field in keyof Checks]: Checks[Field] extends (value: unknown) => value is infer Value ? Value : never;
};

export type Mail = {
  [Template in keyof typeof FIELDS]: { template: Template } & Fields<(typeof FIELDS)[Template]>;
}[keyof typeof FIELDS];

export type MailOf<Template extends Mail['template']> = Extract<Mail, { template: Template }>;

/** The data of a queued job; `requestId` is logged with the mail. */
export type MailJob = {
  mail: Mail;
  requestId: string;
  /** The user whom the mail concerns. */
  userId?: string;
  inOutbox: boolean;
  askedAt?: string;
  traceparent?: string;
};

export const TEMPLATES = Object.keys(FIELDS) as Mail['template'][];

const isTemplate = (value: unknown): value is Mail['template'] =>
  typeof value === 'string' && Object.hasOwn(FIELDS, value);

/** The metric label of a job's template; `unknown` for any other name. */
export const toTemplateLabel = (name: unknown): Mail['template'] | 'unknown' =>
  isTemplate(name) ? name : 'unknown';

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
    mail: { ...mail, ...('language' in FIELDS[template] && { language: toLanguage(mail.language) }) } as Mail,
    requestId: typeof requestId === 'string' ? requestId : 'unknown',
    ...(typeof userId === 'string' && { userId }),
    inOutbox: inOutbox === true,
    ...(typeof askedAt === 'string' && { askedAt }),
    ...(typeof traceparent === 'string' && { traceparent }),
  };
};
