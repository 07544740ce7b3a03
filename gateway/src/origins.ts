/** Exact origins, or any port on loopback. */
export type AllowedOrigins = string[] | 'loopback';

const LOOPBACK = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

export const isAllowedOrigin = (allowed: AllowedOrigins, origin: string): boolean =>
  allowed === 'loopback' ? LOOPBACK.test(origin) : allowed.includes(origin);
