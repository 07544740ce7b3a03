import type { NextConfig } from 'next';

/** `next build` reads this variable and writes the rewrites to its output. */
const gatewayUrl = process.env['GATEWAY_URL'] ?? 'http://localhost:3000';

const config: NextConfig = {
  // The browser sees a single site, so the refresh cookie is first-party and CORS is not needed.
  // X-Forwarded-For is forwarded unchanged.
  rewrites: async () => [{ source: '/api/v1/:path*', destination: `${gatewayUrl}/api/v1/:path*` }],
};

export default config;
