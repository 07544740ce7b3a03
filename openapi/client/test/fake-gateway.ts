import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Responder = (response: ServerResponse, request: IncomingMessage) => void;

export const json =
  (status: number, body: object, headers: Record<string, string> = {}): Responder =>
  (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
export const failure = (status: number, code: string, headers: Record<string, string> = {}): Responder =>
  json(status, { statusCode: status, error: 'Some', code, message: 'Some', requestId: 'r-1' }, headers);
export const html =
  (status: number): Responder =>
  (response) => {
    response
      .writeHead(status, { 'Content-Type': 'text/html', 'X-Request-Id': 'r-2' })
      .end('<h1>Pay for Wi-Fi</h1>');
  };
export const noContent: Responder = (response) => {
  response.writeHead(204).end();
};

/** A gateway that sends the response of `responders` for the path, else 404. Records each request with its token. */
export const createFakeGateway = () => {
  const responders = new Map<string, Responder>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace('/api/v1', '');
    requests.push(`${request.method} ${path} ${request.headers.authorization ?? '-'}`);
    request.resume();
    (responders.get(path) ?? html(404))(response, request);
  });
  return {
    responders,
    requests,
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    listen: async (): Promise<void> => {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    },
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
