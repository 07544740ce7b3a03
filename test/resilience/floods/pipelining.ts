import { openRawConnection, parseStatuses } from '@platform/shared/testing/raw-http';
import type { Attack } from './attack.ts';
import { range } from './fixture.ts';
import { startRounds } from './rounds.ts';

const REQUESTS = 60_000;
const CONNECTIONS = 20;
const REQUEST = 'GET /api/v1/auth/me HTTP/1.1\r\nHost: localhost\r\n\r\n';
const LAST_REQUEST = REQUEST.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');

const sendPipelined = async (gatewayUrl: string, network: string): Promise<(number | string)[]> => {
  const connection = openRawConnection(gatewayUrl, { localAddress: `${network}.1` });
  connection.write(REQUEST.repeat(REQUESTS / CONNECTIONS - 1) + LAST_REQUEST);
  return parseStatuses(await connection.closed);
};

const createPipelining = (hops: number): Attack => ({
  name: `${REQUESTS} pipelined requests on ${CONNECTIONS} connections, ${hops} trusted proxies`,
  environment: { TRUSTED_PROXY_HOPS: String(hops) },
  start: startRounds(1, async (gatewayUrl, network) =>
    (await Promise.all(range(CONNECTIONS).map(() => sendPipelined(gatewayUrl, network)))).flat(),
  ),
});

export const pipelining: readonly Attack[] = [0, 1].map(createPipelining);
