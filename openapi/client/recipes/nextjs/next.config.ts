import type { NextConfig } from 'next';

/** `next build` writes the rewrites to its output, and `next start` reads the variable again for `readSession`. */
const gatewayUrl = process.env['GATEWAY_URL'] ?? 'http://localhost:3000';

const forward = (source: string) => ({
  source,
  destination: gatewayUrl + source.replace('(.*)', ''),
});

const config: NextConfig = {
  // The addresses of the account pages keep the slash at their end.
  skipTrailingSlashRedirect: true,
  // The browser sees a single site, so the refresh cookie is first-party and CORS is not needed. The account pages
  // are part of it, because browsers send the cookie only to the host that set it.
  // X-Forwarded-For is forwarded unchanged.
  rewrites: async () =>
    ['/api/v1/:path(.*)', '/account/:path(.*)', '/account', '/.well-known/change-password'].map(forward),
};

export default config;
