import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { listenLocally } from '@platform/shared/testing/local-server';

const SLOW_MILLISECONDS = 2_000;
type Mode = 'pass' | 'slow' | 'failing';

/** An HTTP server in front of an instance, which delays requests or responds 500 to them. */
export const startFront = async (targetUrl: string) => {
  const target = new URL(targetUrl);
  const agent = new Agent({ keepAlive: true });
  const front = { mode: 'pass' as Mode, concerns: (_path: string) => true, successes: 0 };

  const forward = (req: IncomingMessage, res: ServerResponse): void => {
    const { method, url: path, headers } = req;
    const outgoing = request({ host: target.hostname, port: target.port, method, path, headers, agent });
    outgoing.on('error', () => res.destroy());
    outgoing.on('response', (incoming) => {
      const { statusCode = 502 } = incoming;
      if (statusCode < 500) front.successes += 1;
      res.writeHead(statusCode, incoming.rawHeaders);
      incoming.on('error', () => res.destroy()).pipe(res);
    });
    res.on('close', () => outgoing.destroy());
    req.pipe(outgoing);
  };
  const server = createServer(async (req, res) => {
    if (front.mode === 'failing' && front.concerns(req.url ?? '')) return void res.writeHead(500).end();
    if (front.mode === 'slow') await delay(SLOW_MILLISECONDS);
    forward(req, res);
  });
  // Longer than the gateway keeps idle connections, as in the services.
  server.keepAliveTimeout = 65_000;
  const { port } = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    /** @param concerns selects the requests that fail */
    setMode: (mode: Mode, concerns = (_path: string): boolean => true): void => {
      Object.assign(front, { mode, concerns });
    },
    /** The responses below 500 so far. */
    successes: () => front.successes,
    stop: () => {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
};
