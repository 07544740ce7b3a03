import type { NextConfig } from 'next';

/** Read by `next build`, which writes the rewrites to its output. */
const gatewayUrl = process.env['GATEWAY_URL'] ?? 'http://127.0.0.1:3000';

const config: NextConfig = {
  // The browser sees one site, so the refresh cookie is first-party and no CORS is needed. X-Forwarded-For is passed on unchanged.
  rewrites: async () => [{ source: '/api/v1/:path*', destination: `${gatewayUrl}/api/v1/:path*` }],
};

export default config;
