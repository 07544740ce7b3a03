import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

type Options = {
  /** The address of the instance that it replaces. */
  url: string;
  failedShare: number;
  /** The instance that gets the other requests. */
  targetUrl: string;
};

/** Starts a server in place of an instance. It is ready, and responds 500 to a share of the requests. */
export const startFailingInstance = async ({ url, failedShare, targetUrl }: Options) => {
  const target = new URL(targetUrl);
  const agent = new Agent({ keepAlive: true });

  const forward = (req: IncomingMessage, res: ServerResponse): void => {
    const { method, url: path, headers } = req;
    const outgoing = request({ host: target.hostname, port: target.port, method, path, headers, agent });
    outgoing.on('error', () => res.destroy());
    outgoing.on('response', (incoming) => {
      res.writeHead(incoming.statusCode ?? 502, incoming.rawHeaders);
      incoming.on('error', () => res.destroy()).pipe(res);
    });
    res.on('close', () => outgoing.destroy());
    req.pipe(outgoing);
  };
  const server = createServer((req, res) => {
    if (req.url === '/readyz') res.end(JSON.stringify({ status: 'ready' }));
    else if (Math.random() < failedShare) res.writeHead(500).end();
    else forward(req, res);
  });
  // Longer than the gateway keeps idle connections, as in the services.
  server.keepAliveTimeout = 65_000;
  const { hostname, port } = new URL(url);
  server.listen(Number(port), hostname);
  await once(server, 'listening');
  return {
    stop: async () => {
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await once(server, 'close');
    },
  };
};
