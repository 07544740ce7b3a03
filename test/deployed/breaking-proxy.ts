import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { createHttpClient, type HttpResponse } from '@platform/shared/testing/http-client';
import { listenLocally } from '@platform/shared/testing/local-server';

export type Passing = { method: string; path: string; authorization: string | undefined };
export type Passed = Pick<HttpResponse, 'status' | 'headers' | 'text'>;
/** Changes a response; `body` is parsed JSON. */
export type Break = (
  request: Passing,
  response: Passed & { body: HttpResponse['body'] },
) => Partial<Passed> | undefined;

/** Replaces text in the response of a route. */
export const replaceText =
  (route: RegExp, from: string | RegExp, to: string): Break =>
  ({ method, path }, { text }) =>
    route.test(`${method} ${path}`) ? { text: text.replace(from, to) } : undefined;

const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'content-length'];

const without = (headers: HttpResponse['headers'], names: readonly string[]): HttpResponse['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

export const withoutHeader =
  (route: RegExp, name: string): Break =>
  ({ method, path }, { headers }) =>
    route.test(`${method} ${path}`) ? { headers: without(headers, [name]) } : undefined;

/** A proxy in front of the gateway, which breaks its contract. With `tls`, it terminates TLS. */
export const createBreakingProxy = async (
  gatewayUrl: string,
  breaks: readonly Break[] = [],
  tls?: Pick<ServerOptions, 'cert' | 'key'>,
) => {
  const client = createHttpClient(gatewayUrl, { keepAlive: true });
  const requests: string[] = [];
  const handle: RequestListener = async (req, res) => {
    const { method = '', url: path = '' } = req;
    requests.push(`${method} ${path}`);
    const { authorization, host: _host, ...others } = req.headers;
    const body = await buffer(req);
    const headers = { ...without(others, HOP_BY_HOP), ...(authorization && { authorization }) };
    const received = await client.send({ method, path, headers, ...(body.length > 0 && { body }) });
    let changed: Passed & Pick<HttpResponse, 'body'> = received;
    for (const apply of breaks) changed = { ...changed, ...apply({ method, path, authorization }, changed) };
    res.writeHead(changed.status, without(changed.headers, HOP_BY_HOP)).end(changed.text);
  };
  const listener: RequestListener = (req, res) => void handle(req, res);
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  const { port, close } = await listenLocally(server);
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    /** `GET /api/v1`, in the order of arrival. */
    requests,
    close: async () => {
      client.close();
      await close();
    },
  };
};
