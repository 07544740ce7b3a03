/** Why a mail could not be sent, for people who do not know SMTP. */
export type MailCause = 'mailbox-full' | 'unknown-address' | 'refused' | 'busy' | 'unreachable' | 'other';

/** Errors of the connection, whose text may have a port or an address that looks like a code. */
const UNREACHABLE =
  /\bE(?:CONN\w*|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|PIPE|SOCKET|TLS|DNS)\b|timeout|greeting never received|connection closed|STARTTLS/i;
/** RFC 5321, 4.2 and RFC 3463: `550 5.1.1 Mailbox unknown`. */
const CODES = /(?:^|[^\d.])(?<code>[45]\d\d)(?:[ -](?<enhanced>[45]\.\d{1,3}\.\d{1,3})(?!\S))?(?![\d.])/;

/** Each pattern matches an enhanced status code (RFC 3463) without its class, such as 2.2 of 5.2.2. */
const ENHANCED: readonly [RegExp, MailCause][] = [
  [/^2\.2$/, 'mailbox-full'],
  [/^1\.(?:1|2|3|6|10)$|^2\.1$/, 'unknown-address'],
];
/** A code alone says less: most servers answer 550 to an address that they do not know. */
const PLAIN: Record<string, MailCause> = {
  '550': 'unknown-address',
  '551': 'unknown-address',
  '553': 'unknown-address',
  '552': 'mailbox-full',
};

/** The cause that the text of a failure tells; null without a failure. */
export const toMailCause = (failure: string | null): MailCause | null => {
  if (failure === null) return null;
  if (failure === 'The user has no verified address') return 'unknown-address';
  if (UNREACHABLE.test(failure)) return 'unreachable';
  const { code, enhanced } = CODES.exec(failure)?.groups ?? {};
  if (code === undefined) return 'other';
  const known = enhanced && ENHANCED.find(([pattern]) => pattern.test(enhanced.slice(2)))?.[1];
  if (known) return known;
  if (code.startsWith('4')) return 'busy';
  return (enhanced === undefined && PLAIN[code]) || 'refused';
};
