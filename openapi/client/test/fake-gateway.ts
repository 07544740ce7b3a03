import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMemoryStorage } from '../src/device.ts';
import type { Kind } from '../src/kinds.ts';
import { createPlatformClient, type PlatformClientOptions } from '../src/platform-client.ts';
import { isPlatformError } from '../src/platform-error.ts';

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

/**
 * Delays a response until `release` is called. `requested` resolves when the request has arrived, and
 * `closed` when it has ended or was aborted.
 */
export const holdResponse = (respond: Responder) => {
  const requested = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const responder: Responder = (response, request) => {
    requested.resolve();
    response.on('close', closed.resolve);
    void released.promise.then(() => respond(response, request));
  };
  return { responder, requested: requested.promise, release: released.resolve, closed: closed.promise };
};

export const CREDENTIALS = { email: 'ada@example.com', password: 'Correct horse 1' };
export const user = { email: CREDENTIALS.email, isEmailVerified: true };
export const session = { id: '5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11' };
export const ANOTHER = { user: { ...user, email: 'bob@example.com' }, session: { id: 'another' } };
export const AUTH = '/customers/auth';

export const caught = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'resolved',
    (error: unknown) => error,
  );

/** Returns the code of the PlatformError that the call rejects with. */
export const failed = async (call: Promise<unknown>): Promise<unknown> => {
  const error = await caught(call);
  return isPlatformError(error) ? error.code : error;
};

/**
 * A gateway that responds with the entry of `responders` for the path, or with 404. Records each request with
 * its token.
 */
const createFakeGateway = () => {
  const responders = new Map<string, Responder>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace('/api/v1', '');
    requests.push(`${request.method} ${path} ${request.headers.authorization ?? '-'}`);
    request.resume();
    (responders.get(path) ?? html(404))(response, request);
  });
  return { responders, requests, server };
};

/** Starts a fake gateway with a sign-in for the tests of one file, and creates its clients. */
export const useFakeGateway = () => {
  const { responders, requests, server } = createFakeGateway();
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  before('listen', () => once(server.listen(0, '127.0.0.1'), 'listening'));
  after('stop', () => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    responders.clear();
    requests.length = 0;
    responders.set(`${AUTH}/sign-in`, json(200, { token: 'first', user, session }));
    responders.set(`${AUTH}/refresh/token`, json(200, { token: 'second' }));
    responders.set(`${AUTH}/me`, json(200, { user, session, profile: null }));
    responders.set(`${AUTH}/sign-out`, noContent);
  });
  const createClient = <K extends Kind = 'customer'>(options: Partial<PlatformClientOptions<K>> = {}) =>
    createPlatformClient({ gatewayUrl: url(), kind: 'customer' as K, ...options });
  const signIn = async (options: Partial<PlatformClientOptions<'customer'>> = {}) => {
    const client = createClient(options);
    await client.signIn(CREDENTIALS);
    requests.length = 0;
    return client;
  };
  return {
    responders,
    requests,
    url,
    createClient,
    signIn,
    /** Opens two tabs that share a session. */
    openTabs: async () => {
      const storage = createMemoryStorage();
      const tabs = [await signIn({ storage }), createClient({ storage })] as const;
      const close = () => {
        for (const tab of tabs) tab.close();
      };
      return { tabs, storage, close };
    },
    /** Lists the methods and paths of the requests. */
    listRequests: () => requests.map((request) => request.split(' ').slice(0, 2).join(' ')),
  };
};
