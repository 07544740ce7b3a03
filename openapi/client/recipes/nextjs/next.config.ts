import type { NextConfig } from 'next';

/** Read by `next build`, which writes the rewrites to its output. */
const gatewayUrl = process.env['GATEWAY_URL'] ?? 'http://127.0.0.1:3000';

const config: NextConfig = {
  // The browser sees one site, so the refresh cookie is first-party and no CORS is needed. In the gateway, count Next.js in
  // TRUSTED_PROXY_HOPS: its rate limits need the address of the visitor.
  rewrites: async () => [{ source: '/api/v1/:path*', destination: `${gatewayUrl}/api/v1/:path*` }],
};

export default config;
