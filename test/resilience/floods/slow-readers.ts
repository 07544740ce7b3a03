import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { Attack } from './attack.ts';
import { countStatuses, range } from './fixture.ts';

/** Below the limit of 600 of a client network. */
const REQUESTS_PER_MINUTE = 570;
const PAUSE_MILLISECONDS = 500;

/** The pages are built into this directory before. */
export const PAGES_DIR = join(tmpdir(), 'pages-of-floods');

/** The script of its first screen is the largest. */
const findScript = async (gatewayUrl: string): Promise<string> => {
  const page = await (await fetch(`${gatewayUrl}/console/`)).text();
  const [, path] = /<script[^>]* src="([^"]+)"/.exec(page) ?? [];
  if (!path) throw new Error('The console has no script');
  return path;
};

/** Large responses: of a service, of a page, and of the gateway itself. */
const TARGETS = {
  'the largest file': { findPath: async () => '/api/swagger-ui-bundle.js', encoding: 'gzip' },
  'the script of the console': { findPath: findScript, encoding: 'gzip' },
  'the joined document': { findPath: async () => '/openapi.json', encoding: 'identity' },
};

type Shape = {
  networks: number;
  connections: number;
  requests: number;
  target?: keyof typeof TARGETS;
  isBurst?: true;
  /** The gateway ends a connection that reads nothing within 20 s. */
  maxOpenSeconds?: number;
};

const createRequest = async (gatewayUrl: string, target: keyof typeof TARGETS): Promise<string> => {
  const { findPath, encoding } = TARGETS[target];
  return `GET ${await findPath(gatewayUrl)} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: ${encoding}\r\n\r\n`;
};

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

const secondsSince = (time = 0): number => (performance.now() - time) / 1_000;

/** Opens a connection again when the gateway closes it, within the limit of its network. */
const createSlowReaders = ({
  networks,
  connections,
  requests,
  target = 'the largest file',
  maxOpenSeconds = Number.POSITIVE_INFINITY,
  ...checks
}: Shape): Attack => ({
  name: `slow readers of ${target} from ${networks} network${networks === 1 ? '' : 's'}, ${connections} connections of ${requests} requests`,
  environment: { PAGES: 'console', PAGES_DIR },
  ...checks,
  start: async (gatewayUrl, network) => {
    const request = await createRequest(gatewayUrl, target);
    const open = new Map<Socket, number>();
    let longestSeconds = 0;
    const ends: string[] = [];
    let isRunning = true;
    const read = async (localAddress: string): Promise<void> => {
      const socket = openReader(gatewayUrl, localAddress, request.repeat(requests));
      open.set(socket, performance.now());
      await new Promise((resolve) => socket.once('close', resolve));
      longestSeconds = Math.max(longestSeconds, secondsSince(open.get(socket)));
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
        for (const socket of open.keys()) socket.destroy();
        await Promise.all(attack);
        expect(longestSeconds, 'seconds that a connection was open').to.be.at.most(maxOpenSeconds);
        return `${summary}, for ${longestSeconds.toFixed(0)} s at most`;
      },
    };
  },
});

/** The limit of the pages leaves many networks one burst a minute, of 380 MB for the largest file. */
const SHAPES: readonly Shape[] = [
  { networks: 1, connections: 6, requests: 95 },
  { networks: 1, connections: 300, requests: 1 },
  { networks: 20, connections: 12, requests: 9, isBurst: true },
  { networks: 10, connections: 40, requests: 6, isBurst: true },
  { networks: 10, connections: 40, requests: 6, target: 'the script of the console', isBurst: true },
  // Nine responses are larger than the kernel buffers of a connection.
  {
    ...{ networks: 92, connections: 6, requests: 9, target: 'the joined document' },
    ...{ maxOpenSeconds: 30, isBurst: true },
  },
];
export const slowReaders: readonly Attack[] = SHAPES.map(createSlowReaders);
