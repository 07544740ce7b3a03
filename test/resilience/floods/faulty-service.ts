import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createHttpClient, formatStatus } from '@platform/shared/testing/http-client';
import { listenLocally } from '@platform/shared/testing/local-server';
import { startSteadyLoad } from '../load/steady-load.ts';
import type { Attack } from './attack.ts';
import { countStatuses, range } from './fixture.ts';

const PATH = '/api/v1/orders';
const NETWORKS = 4;
/**
 * The rate in all networks together, which is below the 600 requests a minute of each. While the service
 * hangs, each network has as many requests in flight as it may.
 */
const PER_SECOND = 32;

const GARBAGE = [
  '220 smtp.example ESMTP\r\n',
  'HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nVary: a b\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
  `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
  `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n${'ok'.repeat(10_000)}`,
];
let sent = 0;
const sendGarbage = ({ socket }: IncomingMessage): void => {
  socket.write(GARBAGE[sent++ % GARBAGE.length] ?? '');
};

type Listener = (req: IncomingMessage, res: ServerResponse) => void;
const succeed: Listener = (_req, res) => void res.end('ok');

/** Without a listener, the service accepts no connections. The first one is for comparison. */
const FAULTS: Record<string, Listener | undefined> = {
  works: succeed,
  hangs: () => undefined,
  'refuses connections': undefined,
  'responds with garbage': sendGarbage,
};
export const FAULT_NAMES = Object.keys(FAULTS);

/** Sends requests to another service, which works only until the attack starts. */
export const startFaultyService = async (fault: string): Promise<Attack & { stop: () => Promise<void> }> => {
  let listener = succeed;
  const server = createServer((req, res) => listener(req, res));
  const { port, close } = await listenLocally(server);
  const url = `http://127.0.0.1:${port}`;

  const start: Attack['start'] = async (gatewayUrl, network) => {
    listener = FAULTS[fault] ?? succeed;
    if (FAULTS[fault] === undefined) await close();
    const statuses: string[] = [];
    const clients = range(NETWORKS).map((index) =>
      createHttpClient(gatewayUrl, { localAddress: `${network}.${index + 1}` }),
    );
    let next = 0;
    const run = async (): Promise<boolean> => {
      const response = await clients[next++ % NETWORKS]?.send({ path: PATH, method: 'PUT', body: { a: 1 } });
      if (response) statuses.push(formatStatus(response));
      return true;
    };
    const load = startSteadyLoad([{ perSecond: PER_SECOND, run }]);
    return {
      stop: async () => {
        await load.stop();
        listener = succeed;
        server.closeAllConnections();
        if (!server.listening) await once(server.listen(port, '127.0.0.1'), 'listening');
        return countStatuses(statuses);
      },
    };
  };
  return {
    name: fault,
    environment: {
      SERVICES: 'shop',
      SERVICE_SHOP_PATHS: PATH,
      SERVICE_SHOP_URLS: url,
      BCRYPT_COST: '6',
    },
    start,
    checksFailuresOnly: true,
    stop: close,
  };
};
