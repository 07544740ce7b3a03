import { Agent, request as openRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Field } from './request.ts';

export type HttpRequest = {
  method: string;
  target: string;
  headers: readonly Field[];
  body?: Buffer | undefined;
};
export type HttpResponse = {
  /** 0 without a complete response. */
  status: number;
  /** Why there is no complete response. */
  failure?: string;
  headers: Record<string, string | string[] | undefined>;
  text: string;
};

const TIMEOUT_MILLISECONDS = 15_000;

const toFailure = (failure: string): HttpResponse => ({ status: 0, failure, headers: {}, text: '' });

const toHeaderList = ({ method, headers, body }: HttpRequest, host: string): string[] => {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  // Node.js would send an empty body in chunks.
  const length = body?.length ?? (/^(?:POST|PUT|PATCH)$/.test(method) ? 0 : undefined);
  const hasLength = length === undefined || names.has('transfer-encoding');
  return [
    ...(names.has('host') ? [] : ['Host', host]),
    ...headers.flat(),
    ...(hasLength ? [] : ['Content-Length', String(length)]),
  ];
};

/** Sends what the client of Node.js accepts, on at most `maxSockets` connections; further requests wait. */
export const createHttpSender = (baseUrl: string, maxSockets: number) => {
  const { hostname, port, host } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true, maxSockets });
  const send = (request: HttpRequest): Promise<HttpResponse> =>
    new Promise((resolve) => {
      const { method, target: path, body } = request;
      const outgoing = openRequest({
        agent,
        hostname,
        port,
        method,
        path,
        headers: toHeaderList(request, host),
      });
      const timeout = setTimeout(() => outgoing.destroy(new Error('timeout')), TIMEOUT_MILLISECONDS);
      // The gateway may respond and close before the body has been sent; then the response came first.
      outgoing.on('error', ({ message }) => resolve(toFailure(message)));
      outgoing.on('close', () => clearTimeout(timeout));
      outgoing.on('upgrade', (_incoming, socket) => {
        socket.destroy();
        resolve(toFailure('the server accepted an upgrade'));
      });
      outgoing.on('response', (incoming) => {
        const { statusCode: status = 0, headers } = incoming;
        text(incoming).then(
          (received) => resolve({ status, headers, text: received }),
          () => resolve(toFailure('truncated')),
        );
      });
      outgoing.end(body);
    });
  return { send, close: () => agent.destroy() };
};

const parseResponse = (received: string): HttpResponse => {
  const end = received.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = received.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  if (end === -1 || Number.isNaN(status)) return toFailure(`not HTTP: ${received.slice(0, 60)}`);
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status, headers: Object.fromEntries(headers), text: received.slice(end + 4) };
};

/** Sends bytes on a new connection, and reads one response until the server closes it. */
export const sendBytes = (baseUrl: string, bytes: Buffer): Promise<HttpResponse> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(baseUrl);
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(TIMEOUT_MILLISECONDS, () => socket.destroy(new Error('timeout')));
    socket.setEncoding('utf8').on('data', (part: string) => {
      received += part;
    });
    // A response that arrived before a reset counts.
    socket.on('error', ({ message }) => received === '' && resolve(toFailure(message)));
    socket.on('close', () => resolve(parseResponse(received)));
  });
