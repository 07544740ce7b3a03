import { createCookieJar, createMemoryStorage, createPlatformClient } from '@platform/client';

export const gatewayUrl = process.env['GATEWAY_URL'] ?? 'http://localhost:3000';

/**
 * A client for one request to a route handler or a server component. A client has one session, so a client at
 * the top of a module would let one user's request act as another user. The gateway's rate limits need the
 * visitor's address, which the load balancer in front of Next.js sets; otherwise they would count all
 * visitors as one.
 */
export const createRequestPlatform = (headers: Headers) =>
  createPlatformClient({
    gatewayUrl,
    kind: 'customer',
    storage: createMemoryStorage(),
    cookies: createCookieJar(),
    fetch: (request, init) => {
      const address = headers.get('X-Forwarded-For');
      if (address) request.headers.set('X-Forwarded-For', address);
      return fetch(request, init);
    },
  });
