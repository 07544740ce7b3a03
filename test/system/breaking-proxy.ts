import { createServer, type RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createHttpClient, type HttpResponse } from '@platform/shared/testing/http-client';
import { listenLocally } from '@platform/shared/testing/local-server';

type Passed = Pick<HttpResponse, 'status' | 'headers' | 'text'>;
/** Changes a response to a route, such as `GET /api/v1`. */
type Break = (route: string, response: Passed) => Partial<Passed> | undefined;

const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'content-length'];

const without = (headers: HttpResponse['headers'], names: readonly string[]): HttpResponse['headers'] =>
  Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => value !== undefined && !names.includes(name)),
  );

/** Starts a proxy in front of the gateway that changes responses. */
export const createBreakingProxy = async (gatewayUrl: string, apply: Break) => {
  const client = createHttpClient(gatewayUrl, { keepAlive: true });
  const handle: RequestListener = async (req, res) => {
    const { method = '', url: path = '' } = req;
    const body = await buffer(req);
    const headers = without(req.headers, [...HOP_BY_HOP, 'host']);
    const response = await client.send({ method, path, headers, ...(body.length > 0 && { body }) });
    const changed: Passed = { ...response, ...apply(`${method} ${path}`, response) };
    res.writeHead(changed.status, without(changed.headers, HOP_BY_HOP)).end(changed.text);
  };
  const { port, close } = await listenLocally(createServer((req, res) => void handle(req, res)));
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      client.close();
      await close();
    },
  };
};
