import { type AddressObject, type ParsedMail, simpleParser } from 'mailparser';

/** A mail without its attachments: the platform sends only a logo, which is part of the HTML. */
export type Mail = {
  id: string;
  /** Addresses without names, from the `To` header, or from the envelope if there is none. */
  to: string[];
  from: string;
  /** The name before the address in `From`. */
  sender: string | null;
  /** The platform's name of the mail, such as `sign-in-code`; null for mails of other programs. */
  mail: string | null;
  /** The six digits of a code mail. */
  code: string | null;
  /** The address of the button or link of a mail of the platform. */
  link: string | null;
  subject: string;
  text: string;
  html: string;
  /** The `Date` header in ISO 8601. */
  date: string | null;
  messageId: string | null;
  /** Keyed by lower-case name; repeated headers are joined by a comma. */
  headers: Record<string, string>;
  /** The sender and the recipients of the SMTP dialog, which may differ from the headers. */
  envelope: Envelope;
};

export type Envelope = { from: string; to: string[] };

const clean = (address: string) => address.replace(/[\s,]/g, '');

/** Stored before the mail, so that the file is complete. */
export const envelopeHeaders = (envelope: Envelope): string =>
  `X-Envelope-From: ${clean(envelope.from)}\r\nX-Envelope-To: ${envelope.to.map(clean).join(',')}\r\n`;

const toEntries = (value: AddressObject | AddressObject[] | undefined) =>
  (value === undefined ? [] : [value].flat())
    .flatMap((object) => object.value)
    .flatMap((entry) => entry.group ?? [entry]);

const toAddresses = (value: AddressObject | AddressObject[] | undefined): string[] =>
  toEntries(value).flatMap(({ address }) => (address ? [address] : []));

/** The text of a code mail begins with its code. */
const findCode = (mail: string | undefined, text: string): string | null =>
  (mail?.endsWith('-code') && /^\d{6}\b/.exec(text)?.[0]) || null;

/** The address of the button or link of a mail. What follows `-- ` is the footer. */
const findLink = (mail: string | undefined, text: string): string | null =>
  (mail !== undefined && /https?:\/\/\S+/.exec(text.split('\n-- \n', 1)[0] ?? '')?.[0]) || null;

const collectHeaders = (lines: ParsedMail['headerLines']): Record<string, string> => {
  const headers = new Map<string, string>();
  for (const { key, line } of lines) {
    const value = line
      .slice(line.indexOf(':') + 1)
      .replace(/\r?\n[ \t]/g, ' ')
      .trim();
    const earlier = headers.get(key);
    headers.set(key, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return Object.fromEntries(headers);
};

/** The first header of each name, because the sender's headers follow. */
const readEnvelope = (lines: ParsedMail['headerLines']): Envelope => {
  const find = (key: string) =>
    lines
      .find((header) => header.key === key)
      ?.line.split(':')
      .slice(1)
      .join(':')
      .trim();
  return { from: find('x-envelope-from') ?? '', to: find('x-envelope-to')?.split(',').filter(Boolean) ?? [] };
};

/** Reads a stored mail. A mail that cannot be parsed is shown as plain text. */
export const readMail = async (id: string, raw: Buffer): Promise<Mail> => {
  const options = { skipHtmlToText: true, skipTextToHtml: true };
  const parsed = await simpleParser(raw, options).catch(() => undefined);
  const lines = parsed?.headerLines ?? [];
  const envelope = readEnvelope(lines);
  const to = toAddresses(parsed?.to);
  const date = parsed?.date?.getTime() ?? Number.NaN;
  const text = parsed ? (parsed.text ?? '') : raw.toString('utf8');
  const headers = collectHeaders(lines);
  const mail = headers['x-mail-template'];
  return {
    id,
    to: to.length > 0 ? to : envelope.to,
    from: toAddresses(parsed?.from)[0] ?? envelope.from,
    sender: toEntries(parsed?.from)[0]?.name || null,
    mail: mail ?? null,
    code: findCode(mail, text),
    link: findLink(mail, text),
    subject: parsed?.subject ?? '',
    text,
    html: parsed?.html || '',
    date: Number.isNaN(date) ? null : new Date(date).toISOString(),
    messageId: parsed?.messageId ?? null,
    headers,
    envelope,
  };
};
