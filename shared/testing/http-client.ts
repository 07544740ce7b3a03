import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { urlToHttpOptions } from 'node:url';

export type HttpRequest = {
  /** GET by default. */
  method?: string;
  /** The path is sent unchanged. */
  path: string;
  /**
   * Undefined headers are not sent. A flat list of names and values is sent unchanged, without any addition.
   */
  headers?: Record<string, string | string[] | undefined> | readonly string[];
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
};

const toFailure = ({ code, message }: NodeJS.ErrnoException): string =>
  FAILURES[code ?? ''] ?? code ?? message;

const toBytes = (body: HttpRequest['body']): string | Buffer | undefined =>
  typeof body === 'object' && !Buffer.isBuffer(body) ? JSON.stringify(body) : body;

const toHeaders = ({ headers = {}, body }: HttpRequest, bytes: string | Buffer | undefined) => {
  if (Array.isArray(headers)) return headers as string[];
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  const names = new Set(given.map(([name]) => name.toLowerCase()));
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
  const hasLength = names.has('content-length') || names.has('transfer-encoding');
  return {
    ...(isJson && !names.has('content-type') && { 'Content-Type': 'application/json' }),
    // Node sends the body of a GET without a length.
    ...(bytes !== undefined && !hasLength && { 'Content-Length': String(Buffer.byteLength(bytes)) }),
    ...Object.fromEntries(given),
  };
};

const parseBody = (received: string, { 'content-type': type = '' }: IncomingHttpHeaders) =>
  received !== '' && /^application\/(?:.+\+)?json/.test(type) ? JSON.parse(received) : {};

/**
 * Creates a client that neither retries nor follows redirects. Without `keepAlive`, each request uses a new
 * connection.
 */
export const createHttpClient = (
  baseUrl: string,
  { keepAlive = false, maxConnections = 64, timeoutSeconds = 15, localAddress }: HttpClientOptions = {},
) => {
  const target = { ...urlToHttpOptions(new URL(baseUrl)), ...(localAddress && { localAddress }) };
  const { Agent, request } = target.protocol === 'https:' ? https : http;
  const agent = keepAlive
    ? new Agent({ keepAlive, maxSockets: maxConnections, scheduling: 'fifo' })
    : undefined;

  const send = (call: HttpRequest): Promise<HttpResponse> =>
    new Promise((resolve) => {
      const started = performance.now();
      const end = (received: Omit<HttpResponse, 'milliseconds'>) =>
        resolve({ ...received, milliseconds: performance.now() - started });
      const fail = (failure: string) =>
        end({ status: 0, failure, headers: {}, text: '', body: {}, code: undefined });
      const bytes = toBytes(call.body);
      const { method = 'GET', path } = call;
      const outgoing = request({
        ...target,
        agent: agent ?? false,
        method,
        path,
        headers: toHeaders(call, bytes),
      });
      const timeout = setTimeout(() => {
        fail('timeout');
        outgoing.destroy();
      }, timeoutSeconds * 1_000);
      let isResponding = false;
      // A server may respond and close the connection before it has read the whole body.
      outgoing.on('error', (error) => isResponding || fail(toFailure(error)));
      outgoing.on('close', () => clearTimeout(timeout));
      outgoing.on('response', async (incoming) => {
        isResponding = true;
        const { headers, statusCode: status = 0 } = incoming;
        try {
          const received = await text(incoming);
          const body = parseBody(received, headers);
          end({ status, failure: undefined, headers, text: received, body, code: body?.code });
        } catch (error) {
          fail(error instanceof SyntaxError ? error.message : 'truncated');
        }
      });
      outgoing.end(bytes);
    });

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
    close: () => agent?.destroy(),
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

/** The value of a cookie that a response sets, or an empty string. */
export const getCookie = (response: Pick<HttpResponse, 'headers'>, name: string): string =>
  parseSetCookies(response).find((cookie) => cookie.name === name)?.value ?? '';
