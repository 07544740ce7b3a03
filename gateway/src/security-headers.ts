import { PERMISSIONS_POLICY } from '@platform/shared/http/static-content';

/**
 * Headers that matter for JSON responses and pages (OWASP REST Security Cheat Sheet). Cache-Control and Content-Type
 * come with the response. The services' pages send other values, which replace these.
 */
export const SECURITY_HEADERS = new Map([
  ['Content-Security-Policy', "default-src 'none';frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Permissions-Policy', PERMISSIONS_POLICY],
  ['Referrer-Policy', 'no-referrer'],
  ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
]);
