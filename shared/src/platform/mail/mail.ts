import type { Language } from '../../http/language.ts';
import type { StoredCode } from './stored-code.ts';

export type ContactForm = Readonly<Record<string, string>>;

/** The changes of second factors that their owner is notified of. */
export const SECOND_FACTOR_CHANGES = [
  'totp-enabled',
  'totp-disabled',
  'passkey-added',
  'passkey-removed',
  'recovery-codes-replaced',
  'recovery-code-used',
  'second-step-enabled',
  'second-step-disabled',
  'reset-by-administrator',
  'totp-removed-by-administrator',
  'passkey-removed-by-administrator',
] as const;
export type SecondFactorChange = (typeof SECOND_FACTOR_CHANGES)[number];

/** The secrets whose guessing pauses an account. */
export const GUESSED_SECRETS = ['password', 'second-factor', 'code'] as const;
export type GuessedSecret = (typeof GUESSED_SECRETS)[number];

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

export const ACCOUNT_KINDS = ['customer', 'employee', 'administrator'] as const;
export type AccountKind = (typeof ACCOUNT_KINDS)[number];

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const isForm = (value: unknown): value is ContactForm =>
  isRecord(value) && Object.values(value).every((field) => typeof field === 'string');
const isOneOf =
  <Value>(values: readonly Value[]) =>
  (value: unknown): value is Value =>
    values.some((each) => each === value);
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
/** Accepts any value: `parseMailJob` replaces an unknown one, because no mail must fail because of it. */
const isAny =
  <Value>() =>
  (_value: unknown): _value is Value =>
    true;
const isLanguage = isAny<Language>();
const isKind = isAny<AccountKind | null>();
const isTextIfKnown = isAny<string | null>();
const isTrueOrFalse = isAny<boolean>();
const isTextList = isAny<readonly string[]>();
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);

/** A link. */
export type MailAction = { label: string; url: string };
const isAction = (value: unknown): value is MailAction | null =>
  value === null || (isRecord(value) && isText(value['label']) && isText(value['url']));

const USER_FIELDS = { to: isText, language: isLanguage };
/**
 * A decoy is a mail that the worker does not send. It is queued for an unknown e-mail, so that the request
 * does the same work and the job looks the same as for a known one.
 */
const CODE_FIELDS = {
  ...USER_FIELDS,
  code: isText,
  expiresAt: isText,
  isDecoy: isBoolean,
  /** The user whom the code concerns, who must not be visible in the queue. */
  userId: isTextIfKnown,
  /** The kind of account that takes the code. */
  kind: isKind,
};
/** `isEmailVerified` tells whether the account owned the address `to` when the notice was caused. */
const NOTICE_FIELDS = { ...USER_FIELDS, isEmailVerified: isTrueOrFalse };
const FORM_FIELDS = { to: isText, request: isForm };

// The fields of each mail with their checks. Times are in ISO 8601.

/** These contain secrets, so they are only in the queue, which is encrypted, and never in the outbox. */
const CODES = {
  'verification-code': CODE_FIELDS,
  'reset-password-code': CODE_FIELDS,
  'email-change-code': CODE_FIELDS,
  'sign-in-code': CODE_FIELDS,
  /** Completes a sign-in with the correct password on a new device. */
  'new-device-code': CODE_FIELDS,
};
const NOTICES = {
  /** Sent instead of a code if the address already has an account. */
  'email-change-taken': USER_FIELDS,
  /** Sent instead of a code that was requested for a kind that the account is not of. */
  'wrong-kind': USER_FIELDS,
  'email-change-requested': { ...NOTICE_FIELDS, requestedAt: isText },
  /** `userId` has the account whose previous address gets the notice. */
  'email-changed': { ...NOTICE_FIELDS, changedAt: isText, userId: isTextIfKnown },
  'password-changed': { ...NOTICE_FIELDS, changedAt: isText },
  'second-factor-changed': { ...NOTICE_FIELDS, changedAt: isText, change: isOneOf(SECOND_FACTOR_CHANGES) },
  /** `address` is the IP address of the client; a provider among `methods` has its display name. */
  'new-device': {
    ...NOTICE_FIELDS,
    signedInAt: isText,
    address: isText,
    userAgent: isTextIfKnown,
    methods: isTextList,
  },
  'account-deleted': { ...NOTICE_FIELDS, deletedAt: isText },
  /** Sent after many failures from any networks. */
  'guessing-paused': { ...NOTICE_FIELDS, secret: isOneOf(GUESSED_SECRETS), pausedUntil: isText },
  /** Sent after wrong factors that followed the correct password. */
  'wrong-factors': { ...NOTICE_FIELDS, attemptedAt: isText },
  /** Sent to the inviter. `email` is the address of the new administrator. */
  'invitation-accepted': { ...NOTICE_FIELDS, email: isText, role: isText, acceptedAt: isText },
  /** Sent to an administrator whose account somebody else has created. */
  'administrator-registered': { ...NOTICE_FIELDS, role: isText, changedAt: isText },
  'platform-role-assigned': { ...NOTICE_FIELDS, role: isText, changedAt: isText },
  /** Sent to the ADMIN who gave the role. `email` is the address of the user who got it. */
  'platform-role-given': { ...NOTICE_FIELDS, email: isText, role: isText, changedAt: isText },
  'platform-role-removed': { ...NOTICE_FIELDS, role: isText, changedAt: isText },
  /** Sent after deleting what was set up before the address was verified. */
  'setup-removed': { ...NOTICE_FIELDS, changedAt: isText },
  /** `provider` is the display name; after the unlinking by an administrator it is the provider's id. */
  'identity-linked': { ...NOTICE_FIELDS, changedAt: isText, provider: isText },
  'identity-unlinked': {
    ...NOTICE_FIELDS,
    changedAt: isText,
    provider: isText,
    byAdministrator: isTrueOrFalse,
  },
};
/**
 * Sent to the address of an invitation, which belongs to no user. `sealedCode` is encrypted, because the mail
 * is in the outbox.
 */
const INVITATIONS = {
  invitation: {
    ...USER_FIELDS,
    role: isText,
    sealedCode: isText,
    expiresAt: isText,
    invitedBy: isTextIfKnown,
  },
};
const FORMS = {
  'lead-request': FORM_FIELDS,
  'support-request': FORM_FIELDS,
};
/** Sent to the sender of a contact form, as an ADMIN has written it. `subject` and `message` are those of the form. */
const REPLIES = {
  'contact-reply': {
    ...USER_FIELDS,
    replyTo: isText,
    text: isText,
    subject: isTextOrNull,
    message: isTextOrNull,
    wroteAt: isText,
  },
};
/**
 * Mails of other services. They have neither address nor language, which are read when the mail is sent. No
 * other mail has the field `service`.
 */
const MESSAGES = {
  'service-message': { service: isText, subject: isText, text: isText, action: isAction },
};
export const FIELDS = { ...CODES, ...NOTICES, ...INVITATIONS, ...FORMS, ...REPLIES, ...MESSAGES };

type Fields<Checks> = {
  [Field in keyof Checks]: Checks[Field] extends (value: unknown) => value is infer Value ? Value : never;
};

/** The user whom a notice concerns, as the outbox adds them. */
type NoticeReader = { timeZone?: string | null; roles?: readonly string[] };

/** How a code was requested, and the time zone of its reader. Earlier releases do not name them. */
export type CodeRequest = {
  timeZone?: string | null;
  /** The browser; null if an ADMIN requested the code for the user. */
  userAgent?: string | null;
  byAdministrator?: boolean;
  /** Where the page of the code leads back to. */
  returnTo?: string | null;
};

export type Mail = {
  [Template in keyof typeof FIELDS]: { template: Template } & Fields<(typeof FIELDS)[Template]> &
    (Template extends keyof typeof NOTICES ? NoticeReader : unknown) &
    (Template extends keyof typeof CODES ? CodeRequest : unknown);
}[keyof typeof FIELDS];

export type MailOf<Template extends Mail['template']> = Extract<Mail, { template: Template }>;

export type CodeMail = MailOf<keyof typeof CODES>;
export type NoticeMail = MailOf<keyof typeof NOTICES>;
export type InvitationMail = MailOf<keyof typeof INVITATIONS>;
export type ReplyMail = MailOf<keyof typeof REPLIES>;
export type FormMail = MailOf<keyof typeof FORMS>;

export type ServiceMessage = MailOf<keyof typeof MESSAGES>;

export type MailRecipient = { to: string; language: Language };
export type AddressedMessage = ServiceMessage & MailRecipient;
/** A mail with the address to which it is sent. */
export type AddressedMail = Exclude<Mail, ServiceMessage> | AddressedMessage;

export const isCodeMail = (mail: Mail): mail is CodeMail => Object.hasOwn(CODES, mail.template);
export const isFormMail = (mail: Mail): mail is FormMail => Object.hasOwn(FORMS, mail.template);
export const isNoticeMail = (mail: Mail): mail is NoticeMail => Object.hasOwn(NOTICES, mail.template);

export const isServiceMessage = (mail: Mail): mail is ServiceMessage =>
  Object.hasOwn(MESSAGES, mail.template);

/** The data of a queued job; `requestId` is logged with the mail. */
export type MailJob = {
  mail: Mail;
  requestId: string;
  /** The user whom the mail concerns. */
  userId?: string;
  inOutbox: boolean;
  /** Where the code in the mail is stored. */
  storedCode?: StoredCode;
  askedAt?: string;
  traceparent?: string;
};

export const TEMPLATES = Object.keys(FIELDS) as Mail['template'][];
/** The labels of metrics and of the contract: `unknown` is a template of another release. */
export const TEMPLATE_LABELS = [...TEMPLATES, 'unknown'] as const;
export const NOTICE_TEMPLATES = Object.keys(NOTICES) as NoticeMail['template'][];

export const isTemplate = (value: unknown): value is Mail['template'] =>
  typeof value === 'string' && Object.hasOwn(FIELDS, value);

/** The label of a job's template; `unknown` for any other name. */
export const toTemplateLabel = (name: unknown): (typeof TEMPLATE_LABELS)[number] =>
  isTemplate(name) ? name : 'unknown';

/** `ada@example.com` becomes `a…@example.com`, so that operators can recognise a mail. */
export const maskAddress = (address: string): string => {
  const at = address.lastIndexOf('@');
  const [first = ''] = address.slice(0, Math.max(at, 0));
  return `${first}…${at < 0 ? '' : address.slice(at)}`;
};
