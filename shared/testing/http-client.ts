import { Agent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import request, { type Test } from 'supertest';

export type HttpRequest = {
  /** GET by default. */
  method?: string;
  path: string;
  /** Undefined headers are not sent. */
  headers?: Record<string, string | string[] | undefined>;
  /** An object is sent as JSON, text and bytes unchanged. */
  body?: object | string | Buffer | undefined;
};

export type HttpResponse = {
  /** 0 if there is no complete response. */
  status: number;
  /** Why there is no complete response: refused, reset, timeout, truncated or an error code. */
  failure: string | undefined;
  headers: IncomingHttpHeaders;
  text: string;
  /** The parsed JSON, or `{}` for anything else. */
  body: ReturnType<typeof JSON.parse>;
  /** The code of an error body. */
  code: string | undefined;
  /** The time from the start of the request to the end of the response. */
  milliseconds: number;
};

type HttpClientOptions = {
  keepAlive?: boolean;
  /** The maximum number of connections with `keepAlive`. Further requests wait for a connection. */
  maxConnections?: number;
  timeoutSeconds?: number;
  localAddress?: string;
};

const FAILURES: Record<string, string> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ETIMEDOUT: 'timeout',
  ECONNABORTED: 'timeout',
};

/** supertest replaces the error of a connection by one without a code, whose message begins with the code. */
const toFailure = ({ code, message }: NodeJS.ErrnoException): string => {
  const known = code ?? /^([A-Z]+): /.exec(message)?.[1] ?? message;
  return FAILURES[known] ?? known;
};

const isJson = (body: HttpRequest['body']): boolean => typeof body === 'object' && !Buffer.isBuffer(body);

/** Sets the body and the headers. supertest would declare text as a form, and send bytes as JSON. */
const prepare = (test: Test, { headers = {}, body }: HttpRequest): Test => {
  test.unset('Accept-Encoding');
  if (body !== undefined)
    test
      .send(isJson(body) ? JSON.stringify(body) : body)
      .serialize((data: unknown) => data as string)
      .unset('Content-Type')
      .set(isJson(body) ? { 'Content-Type': 'application/json' } : {});
  for (const [name, value] of Object.entries(headers))
    if (value === undefined) test.unset(name);
    else test.set(name, value as string);
  return test;
};

type Exchange = Pick<HttpResponse, 'status' | 'headers' | 'text'>;

/** @throws Error if there is no complete response */
const receive = (test: Test): Promise<Exchange> =>
  new Promise((resolve, reject) => {
    let isResponding = false;
    test.buffer(true).parse((response, done) => {
      isResponding = true;
      const { statusCode: status = 0, headers } = response as unknown as IncomingMessage;
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', () => reject(new Error('truncated')));
      response.on('end', () => {
        resolve({ status, headers, text: Buffer.concat(parts).toString() });
        done(null, undefined);
      });
    });
    test
      .ok(() => true)
      .end((error, response) => {
        // A response to HEAD is not parsed.
        if (!error) resolve({ status: response.status, headers: response.headers, text: '' });
        // A server may respond and close the connection before it has read the whole body of the request.
        else if (!isResponding || error.timeout) reject(error);
      });
  });

const parseJson = (text: string, { 'content-type': type = '' }: IncomingHttpHeaders) =>
  text !== '' && /^application\/(?:.+\+)?json/.test(type) ? JSON.parse(text) : {};

/**
 * Creates a client of supertest that neither retries nor follows redirects. Without `keepAlive`, each request
 * uses a new connection. raw-http.ts sends what no HTTP client would send.
 */
export const createHttpClient = (
  baseUrl: string,
  { keepAlive = false, maxConnections = 64, timeoutSeconds = 15, localAddress }: HttpClientOptions = {},
) => {
  const options = {
    keepAlive,
    ...(keepAlive && { maxSockets: maxConnections, scheduling: 'fifo' as const }),
    ...(localAddress && { localAddress }),
  };
  const agent = baseUrl.startsWith('https:') ? new TlsAgent(options) : new Agent(options);

  const send = async (call: HttpRequest): Promise<HttpResponse> => {
    const started = performance.now();
    const method = (call.method ?? 'GET').toLowerCase() as 'get';
    const test = prepare(request(baseUrl.replace(/\/$/, ''))[method](call.path), call)
      .agent(agent as never)
      .timeout(timeoutSeconds * 1_000);
    const end = (received: Exchange, failure?: string): HttpResponse => {
      const body = parseJson(received.text, received.headers);
      return { ...received, failure, body, code: body?.code, milliseconds: performance.now() - started };
    };
    try {
      return end(await receive(test));
    } catch (error) {
      return end({ status: 0, headers: {}, text: '' }, toFailure(error as NodeJS.ErrnoException));
    }
  };

  return {
    baseUrl,
    /** Resolves with status 0 if there is no complete response. */
    send,
    /** @throws Error if there is no complete response */
    sendOrThrow: async (call: HttpRequest): Promise<HttpResponse> => {
      const response = await send(call);
      if (response.failure === undefined) return response;
      throw new Error(`${call.method ?? 'GET'} ${call.path}: ${response.failure}`);
    },
    /** Closes the connections that are kept alive. */
    close: () => agent.destroy(),
  };
};

export type HttpClient = ReturnType<typeof createHttpClient>;

/** Returns `200`, `401 TOKEN_INVALID` or the failure. */
export const formatStatus = ({
  status,
  code,
  failure,
}: Pick<HttpResponse, 'status' | 'code' | 'failure'>): string =>
  failure ?? (code === undefined ? `${status}` : `${status} ${code}`);

type SetCookie = { name: string; value: string; attributes: Record<string, string | true> };

/** The cookies that a response sets or clears. The names of attributes are in lower case. */
export const parseSetCookies = ({ headers }: Pick<HttpResponse, 'headers'>): SetCookie[] =>
  (headers['set-cookie'] ?? []).map((line) => {
    const [[name = '', value = ''] = [], ...attributes] = line.split('; ').map((part) => part.split('='));
    const named = attributes.map(([key = '', text]) => [key.toLowerCase(), text ?? true] as const);
    return { name, value, attributes: Object.fromEntries(named) };
  });
