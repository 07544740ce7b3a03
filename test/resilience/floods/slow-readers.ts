import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Attack } from './attack.ts';
import { countStatuses, range } from './fixture.ts';

/** Below the limit of 600 of a client network. */
const REQUESTS_PER_MINUTE = 570;
const PAUSE_MILLISECONDS = 500;

type Shape = {
  networks: number;
  connections: number;
  requests: number;
  /** By default the file with the largest response, 0.4 MB compressed. */
  path?: string;
  maxP50Milliseconds?: number;
};

const toRequest = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n`;

/**
 * Sends requests and reads nothing. The empty lines, which parsers skip, show when the gateway has closed the
 * connection.
 */
const openReader = (gatewayUrl: string, localAddress: string, text: string): Socket => {
  const { hostname: host, port } = new URL(gatewayUrl);
  const socket = connect({ host, port: Number(port), localAddress }).pause();
  socket.on('error', () => socket.destroy());
  socket.write(text);
  const timer = setInterval(() => socket.write('\r\n'), PAUSE_MILLISECONDS);
  socket.once('close', () => clearInterval(timer));
  return socket;
};

/** Opens a connection again when the gateway closes it, within the limit of its network. */
const createSlowReaders = ({
  networks,
  connections,
  requests,
  path = '/api/swagger-ui-bundle.js',
  ...checks
}: Shape): Attack => ({
  name: `slow readers of ${path} from ${networks} network${networks === 1 ? '' : 's'}, ${connections} connections of ${requests} requests`,
  ...checks,
  start: async (gatewayUrl, network) => {
    const open = new Set<Socket>();
    const ends: string[] = [];
    let isRunning = true;
    const read = async (localAddress: string): Promise<void> => {
      const socket = openReader(gatewayUrl, localAddress, toRequest(path).repeat(requests));
      open.add(socket);
      await new Promise((resolve) => socket.once('close', resolve));
      open.delete(socket);
      if (isRunning) ends.push(socket.errored ? 'reset' : 'ended');
    };
    const keepReader = async (localAddress: string, budget: { requests: number }): Promise<void> => {
      while (isRunning) {
        const isAllowed = budget.requests >= requests;
        if (isAllowed) budget.requests -= requests;
        if (isAllowed) await read(localAddress);
        await delay(PAUSE_MILLISECONDS);
      }
    };
    const budgets = range(networks).map(() => ({ requests: REQUESTS_PER_MINUTE }));
    const timer = setInterval(() => {
      for (const budget of budgets) budget.requests = REQUESTS_PER_MINUTE;
    }, 60_000);
    const attack = budgets.flatMap((budget, index) =>
      range(connections).map(() => keepReader(`${network}.${index + 1}`, budget)),
    );
    return {
      stop: async () => {
        isRunning = false;
        clearInterval(timer);
        const summary = `connections: ${countStatuses(ends)}, ${open.size} open at the end`;
        for (const socket of open) socket.destroy();
        await Promise.all(attack);
        return summary;
      },
    };
  },
});

export const slowReaders: readonly Attack[] = [
  { networks: 1, connections: 6, requests: 95 },
  { networks: 1, connections: 300, requests: 1 },
  { networks: 20, connections: 12, requests: 9 },
  { networks: 10, connections: 40, requests: 6, maxP50Milliseconds: 500 },
].map(createSlowReaders);
