import { listOf } from './service-settings.ts';

/** Exact origins, or any port on loopback. */
export type AllowedOrigins = string[] | 'loopback';

const LOOPBACK = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

export const isAllowedOrigin = (allowed: AllowedOrigins, origin: string): boolean =>
  allowed === 'loopback' ? LOOPBACK.test(origin) : allowed.includes(origin);

/**
 * The form that browsers send: scheme, host and port without a path. `null` is not allowed, and neither are
 * patterns, which would match nothing.
 */
const isOrigin = (item: string): boolean => {
  const url = URL.parse(item);
  return url?.origin === item && /^https?:$/.test(url.protocol) && !item.includes('*');
};

export const originList = listOf(isOrigin, 'https://host or https://host:port');
