import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
};

/** An HTTP server in place of a service, on a free port. */
export type FakeUpstream = {
  server: Server;
  url: string;
  /** Every request that was received completely, in order. */
  received: Received[];
  /** Closes the port and every connection, like a killed process. */
  stop: () => Promise<void>;
};

const readBody = async (req: IncomingMessage): Promise<string> => {
  let body = '';
  // The listener may read the same body, so `for await` is not possible.
  req.setEncoding('utf8').on('data', (text: string) => {
    body += text;
  });
  await once(req, 'end');
  return body;
};

/** Responds 200 with the received request as JSON. */
const echo: RequestListener = async (req, res) => {
  const { method = '', url = '', headers } = req;
  res.setHeader('Content-Type', 'application/json');
  const body = await readBody(req).catch(() => undefined);
  res.end(JSON.stringify({ method, url, headers, body }));
};

export const startFakeUpstream = async (
  listener: RequestListener = echo,
  port = 0,
  /** Undefined: /readyz does not respond. */
  readiness: () => { status: string; degraded?: string[] } | undefined = () => ({ status: 'ready' }),
): Promise<FakeUpstream> => {
  const received: Received[] = [];
  const server = createServer((req, res) => {
    // The gateway polls the readiness every second, independently of the test.
    if (req.url !== '/readyz') return listener(req, res);
    const body = readiness();
    if (body) res.writeHead(body.status === 'ready' ? 200 : 503).end(JSON.stringify(body));
  });
  server.on('request', async (req) => {
    if (req.url === '/readyz') return;
    const { method = '', url = '', headers } = req;
    const body = await readBody(req).catch(() => undefined);
    if (body !== undefined) received.push({ method, url, headers, body });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    stop: async () => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

/** The URL of a port on which no process listens. */
export const getUnreachableUrl = async (): Promise<string> => {
  const { url, stop } = await startFakeUpstream();
  await stop();
  return url;
};
