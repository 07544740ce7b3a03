import { createHttpClient, type HttpClient } from '@platform/shared/testing/http-client';

/** Requests that wait for a frozen process must not make others wait in the client. */
const OPTIONS = { keepAlive: true, maxConnections: 1_000, timeoutSeconds: 15 };
const NETWORKS = 64;

/**
 * Sends requests as users of many networks, because one network may not have so many concurrent requests
 * while a process hangs. The gateway needs TRUSTED_PROXY_HOPS=1.
 */
export const createClientOfManyNetworks = (gatewayUrl: string): HttpClient => {
  const client = createHttpClient(gatewayUrl, OPTIONS);
  let sent = 0;
  const send: HttpClient['send'] = (call) => {
    sent += 1;
    const address = `10.0.${sent % NETWORKS}.1`;
    return client.send({ ...call, headers: { ...call.headers, 'X-Forwarded-For': address } });
  };
  return { ...client, send };
};
