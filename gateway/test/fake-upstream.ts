import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
};

/** A service as the gateway sees it, on a free port of its own. */
export type StandIn = {
  server: Server;
  url: string;
  /** Every request that arrived whole, in order. */
  received: Received[];
  /** Lets go of the port and of every connection, as a killed process does. */
  stop: () => Promise<void>;
};

const readBody = async (req: IncomingMessage): Promise<string> => {
  let body = '';
  // Not by iteration, which only one reader can do.
  req.setEncoding('utf8').on('data', (text: string) => {
    body += text;
  });
  await once(req, 'end');
  return body;
};

/** Answers 200 with what it received. */
export const echo: RequestListener = async (req, res) => {
  const { method = '', url = '', headers } = req;
  res.setHeader('Content-Type', 'application/json');
  const body = await readBody(req).catch(() => undefined);
  res.end(JSON.stringify({ method, url, headers, body }));
};

export const startStandIn = async (listener: RequestListener = echo, port = 0): Promise<StandIn> => {
  const received: Received[] = [];
  const server = createServer(listener);
  server.on('request', async (req) => {
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

/** An address at which nobody listens. */
export const findDeadUrl = async (): Promise<string> => {
  const { url, stop } = await startStandIn();
  await stop();
  return url;
};
