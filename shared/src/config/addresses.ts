import { makeExactValidator } from 'envalid';
import { parseDatabaseUrl } from '../network/database-url.ts';
import { parseRedisUrl } from '../network/redis-url.ts';
import { requireEncodedLogin } from '../network/url-login.ts';
import { listOf } from './env.ts';
import { inFileToo } from './secret-file.ts';

const requireUrl = (input: string, ...schemes: string[]): void => {
  const starts = schemes.map((scheme) => `${scheme}://`);
  const isOfScheme = starts.some((start) => input.toLowerCase().startsWith(start));
  if (isOfScheme && URL.parse(input)?.hostname) return;
  requireEncodedLogin(input);
  throw new TypeError(`must be a URL that starts with ${starts.join(' or ')}`);
};

/** Removes the slashes at the end. */
export const httpUrl = makeExactValidator((input) => {
  requireUrl(input, 'http', 'https');
  return input.replace(/\/+$/, '');
});

/**
 * The form that browsers send: scheme, host and port without a path. Rejects `null`, and patterns, which would
 * match nothing.
 */
const isOrigin = (item: string): boolean => {
  const url = URL.parse(item);
  return url?.origin === item && /^https?:$/.test(url.protocol) && !item.includes('*');
};

export const originList = listOf(isOrigin, 'https://host or https://host:port');

/** Whether requests to the URL leave this machine unencrypted. */
export const isUnencrypted = (url: string): boolean => {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
};

export const smtpUrl = inFileToo(
  makeExactValidator((input) => {
    requireEncodedLogin(input);
    requireUrl(input, 'smtp', 'smtps');
    return input;
  }),
);

/** One address without a name. The excluded characters separate or group addresses in a mail header. */
const MAIL_ADDRESS = String.raw`[^\s\p{C}@<>()[\]\\,;:"]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.\-]{0,251}[\p{L}\p{N}])?`;
const IS_ADDRESS = new RegExp(`^${MAIL_ADDRESS}$`, 'u');
/** RFC 5322, 3.4: a name with a separator must be in quotation marks. */
const IS_MAILBOX = new RegExp(
  String.raw`^(?:"[^"\\\p{C}]*" *|[^"<>()[\]\\,;:@\p{C}]*)<${MAIL_ADDRESS}>$`,
  'u',
);

export const mailAddress = makeExactValidator((input) => {
  const value = input.trim();
  if (!IS_ADDRESS.test(value)) throw new TypeError('must be an e-mail address, such as contact@example.com');
  return value;
});

export const mailSender = makeExactValidator((input) => {
  const value = input.trim();
  if (!IS_ADDRESS.test(value) && !IS_MAILBOX.test(value))
    throw new TypeError('must be an e-mail address, or of the form Name <address>');
  return value;
});

export const databaseUrl = inFileToo(
  makeExactValidator((input) => {
    requireEncodedLogin(input);
    parseDatabaseUrl(input);
    return input;
  }),
);

/** One server or Sentinels. docs/configuration.md lists the forms. */
export const redisUrl = inFileToo(
  makeExactValidator((input) => {
    const trimmed = input.replace(/\/+$/, '');
    requireEncodedLogin(trimmed);
    parseRedisUrl(trimmed);
    return trimmed;
  }),
);
