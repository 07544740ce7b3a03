import { createServer, type RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createHttpClient, type HttpRequest, type HttpResponse } from '@platform/shared/testing/http-client';
import { listenLocally } from '@platform/shared/testing/local-server';

type Passing = { method: string; path: string; headers: HttpResponse['headers']; text: string };
type Passed = Pick<HttpResponse, 'status' | 'headers' | 'text'>;
/** Sends the request to the gateway again, with changes. */
type Resend = (changes: Partial<Pick<HttpRequest, 'path' | 'headers' | 'body'>>) => Promise<Passed>;
type Change = Partial<Passed> | undefined;
/** Changes a response. A change with state can be used in one run only. */
export type Break = (request: Passing, response: Passed, resend: Resend) => Change | Promise<Change>;

/** `line` matches the line of the check that detects the break. */
export type PlantedBreak = readonly [name: string, apply: Break, line: RegExp];

/** Applies the change to the responses of a route, such as `GET /api/v1`. */
export const onRoute =
  (route: RegExp, change: Break): Break =>
  (request, response, resend) =>
    route.test(`${request.method} ${request.path}`) ? change(request, response, resend) : undefined;

/** Replaces text in the response of a route. */
export const replaceText = (route: RegExp, from: string | RegExp, to: string): Break =>
  onRoute(route, (_request, { text }) => ({ text: text.replace(from, to) }));

type Body = HttpResponse['body'];

/** Changes the JSON of the successes of a route. */
export const changeBody = (route: RegExp, change: (body: Body) => Body): Break =>
  onRoute(route, (_request, { status, text }) =>
    status < 300 && text !== '' ? { text: JSON.stringify(change(JSON.parse(text))) } : undefined,
  );

/** Every object keeps the first value of this field. */
export const keepField = (route: RegExp, field: string): Break => {
  const first = new Map<string, unknown>();
  const visit = (node: Body): Body => {
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) return node.map(visit);
    const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, visit(value)]));
    if (!(field in copy)) return copy;
    if (!first.has(copy['id'])) first.set(copy['id'], copy[field]);
    return { ...copy, [field]: first.get(copy['id']) };
  };
  return changeBody(route, visit);
};

/** Sets the headers of a route; undefined removes one. */
export const setHeaders = (route: RegExp, changed: HttpResponse['headers']): Break =>
  onRoute(route, (_request, { headers }) => ({ headers: { ...headers, ...changed } }));

/** Replaces text in the cookies that a route sets. */
export const replaceCookie = (route: RegExp, from: string | RegExp, to: string): Break =>
  onRoute(route, (_request, { headers }) => ({
    headers: { ...headers, 'set-cookie': headers['set-cookie']?.map((line) => line.replace(from, to)) },
  }));

/**
 * After a success of `trigger`, each GET returns the last body of its path, if there was one, as if nothing
 * had ended.
 */
export const keepAccess = (trigger: RegExp): Break => {
  const earlier = new Map<string, Passed>();
  let isTriggered = false;
  return ({ method, path }, response) => {
    const isSuccess = response.status < 300;
    isTriggered ||= isSuccess && trigger.test(`${method} ${path}`);
    if (isSuccess && response.text !== '') earlier.set(path, response);
    return isTriggered && !isSuccess && method === 'GET' ? earlier.get(path) : undefined;
  };
};

/** The caller always gets back the refresh token that it sent, and that token stays valid. */
export const keepRefreshToken = (route: RegExp): Break => {
  let current: string | undefined;
  return onRoute(route, async ({ headers }, first, resend) => {
    const isOld = first.status === 401 && current !== undefined;
    const response = isOld ? await resend({ headers: { ...headers, cookie: current } }) : first;
    const [line = ''] = response.headers['set-cookie'] ?? [];
    if (response.status !== 200) return undefined;
    [current = ''] = line.split(';', 1);
    const cookies = [line.replace(current, headers.cookie ?? current)];
    return { ...response, headers: { ...response.headers, 'set-cookie': cookies } };
  });
};

const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'content-length'];

const without = (headers: HttpResponse['headers'], names: readonly string[]): HttpResponse['headers'] =>
  Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => value !== undefined && !names.includes(name)),
  );

/** Starts a proxy in front of the gateway that breaks its contract. */
export const createBreakingProxy = async (gatewayUrl: string, breaks: readonly Break[] = []) => {
  const client = createHttpClient(gatewayUrl, { keepAlive: true });
  const handle: RequestListener = async (req, res) => {
    const { method = '', url: path = '' } = req;
    const body = await buffer(req);
    const headers = without(req.headers, [...HOP_BY_HOP, 'host']);
    const request = { method, path, headers, ...(body.length > 0 && { body }) };
    let changed: Passed = await client.send(request);
    const resend: Resend = (changes) => client.send({ ...request, ...changes });
    for (const apply of breaks) {
      const passing = { method, path, headers, text: body.toString() };
      changed = { ...changed, ...(await apply(passing, changed, resend)) };
    }
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
