import { PERMISSIONS_POLICY } from '@platform/shared/http/static-content';

/** The values of HSTS, and the header of each. */
export const HSTS = {
  subdomains: 'max-age=31536000; includeSubDomains',
  host: 'max-age=31536000',
  /** A load balancer in front sets it. */
  off: undefined,
} as const;

/**
 * Headers that matter for JSON responses and pages (OWASP REST Security Cheat Sheet). Cache-Control and Content-Type
 * come with the response. The services' pages send other values, which replace these.
 */
export const createSecurityHeaders = (hsts: keyof typeof HSTS): Map<string, string> => {
  const { [hsts]: transportSecurity } = HSTS;
  return new Map([
    ['Content-Security-Policy', "default-src 'none';frame-ancestors 'none'"],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
    ['Permissions-Policy', PERMISSIONS_POLICY],
    ['Referrer-Policy', 'no-referrer'],
    ...(transportSecurity ? ([['Strict-Transport-Security', transportSecurity]] as const) : []),
    ['X-Content-Type-Options', 'nosniff'],
    ['X-Frame-Options', 'DENY'],
  ]);
};
