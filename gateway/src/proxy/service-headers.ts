import { PLATFORM_COOKIES } from '@platform/shared/platform/platform-cookies';
import { isWithin } from '../upstreams.ts';

// Another service shares the origin with the platform, so none of its headers may affect the whole origin.

/** The response headers of another service that are forwarded, besides its own `X-…` and its cookies. */
const ALLOWED = new Set([
  'accept-ranges',
  'age',
  'allow',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-range',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'link',
  'location',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'www-authenticate',
]);

/** Security policies of browsers, addresses for their tools, and instructions to a load balancer in front, such as nginx. */
const ACTING =
  /^x-(?:content-type-options|content-security-policy|dns-prefetch|download-options|frame-options|permitted|sourcemap|webkit-csp|xss)|^x-(?:accel|lighttpd|litespeed|reproxy|sendfile)/;
const isOwn = (name: string): boolean => name.startsWith('x-') && !ACTING.test(name);

/** Challenges for which browsers show a dialog in the name of the origin, or send credentials by themselves. */
const BROWSER_CHALLENGE = /(?:^|,)\s*(?:basic|digest|negotiate|ntlm)(?:[\s,]|$)/i;

export const isServiceHeader = (name: string, value: unknown): boolean =>
  (ALLOWED.has(name) || isOwn(name)) &&
  !(name === 'www-authenticate' && BROWSER_CHALLENGE.test(String(value)));

/** Pages run no script, which could refresh tokens from the common origin, and submit no form. */
export const SERVICE_POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  'sandbox',
].join(';');

const NAMES = PLATFORM_COOKIES.join('|');
const PLATFORM_COOKIE = new RegExp(`^\\s*(?:${NAMES})\\s*(?:=|$)`);
/** Browsers store `=name=value` as a cookie without a name, and send `name=value`. */
const PLATFORM_SET_COOKIE = new RegExp(`^[\\s=]*(?:${NAMES})\\s*(?:=|$)`);

export const removePlatformCookies = (cookies: string): string =>
  cookies
    .split(';')
    .filter((cookie) => !PLATFORM_COOKIE.test(cookie))
    .join(';')
    .trim();

/** Together with the names. The headers of a request may have 16 KiB, so larger cookies would lock a browser out. */
const MAX_COOKIE_BYTES = 4_096;

const readAttribute = (attribute: string): { name: string; value: string } => {
  const [name = '', ...value] = attribute.split('=');
  return { name: name.trim().toLowerCase(), value: value.join('=').trim() };
};

/** Removes `Domain`, and replaces a `Path` outside of the service's prefixes. */
const confine = (attributes: readonly string[], prefixes: readonly string[], prefix: string): string[] => {
  // The last one counts.
  const path = attributes.map(readAttribute).findLast(({ name }) => name === 'path')?.value ?? '';
  const isConfined = prefixes.some((own) => isWithin(path, own));
  const kept = attributes.filter((attribute) => !['path', 'domain'].includes(readAttribute(attribute).name));
  return [...kept, ` Path=${isConfined ? path : prefix}`];
};

/**
 * Returns the cookies of a response that the service may set.
 * @param prefix the one of the service's prefixes to which the request belongs
 */
export const toServiceCookies = (
  cookies: readonly string[],
  prefixes: readonly string[],
  prefix: string,
): string[] => {
  const allowed: string[] = [];
  let bytes = 0;
  for (const cookie of cookies) {
    const [pair = '', ...attributes] = cookie.split(';');
    if (PLATFORM_SET_COOKIE.test(pair) || bytes + pair.length > MAX_COOKIE_BYTES) continue;
    bytes += pair.length;
    allowed.push([pair, ...confine(attributes, prefixes, prefix)].join(';'));
  }
  return allowed;
};
