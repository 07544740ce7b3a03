import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

export type Call = {
  method?: string;
  headers?: Record<string, string | string[]>;
  /** An object is sent as JSON, a text or bytes as they are. */
  body?: object | string | Buffer;
};

export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  body: unknown;
  code: string;
};

const LIMIT_MILLISECONDS = 15_000;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const codeOf = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : '';

const toBytes = (body: Call['body']): string | Buffer | undefined =>
  typeof body === 'object' && !Buffer.isBuffer(body) ? JSON.stringify(body) : body;

/** Sends paths and headers as they are, on a connection of its own; status 0 is a connection that broke. */
export const createWebClient = (baseUrl: string) => {
  const { hostname, port } = new URL(baseUrl);
  return (path: string, { method = 'GET', headers = {}, body }: Call = {}): Promise<Answer> =>
    new Promise((resolve) => {
      const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
      const type = isJson ? { 'Content-Type': 'application/json' } : {};
      const broken = (error: Error) =>
        resolve({ status: 0, headers: {}, text: error.message, body: undefined, code: '' });
      const outgoing = request({
        hostname,
        port,
        path,
        method,
        agent: false,
        headers: { ...type, ...headers },
      });
      outgoing.setTimeout(LIMIT_MILLISECONDS, () => outgoing.destroy(new Error('no answer in time')));
      outgoing.on('error', broken);
      outgoing.on('response', (incoming) => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        incoming.on('error', broken);
        incoming.on('end', () => {
          const parsed = parse(text);
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text,
            body: parsed,
            code: codeOf(parsed),
          });
        });
      });
      outgoing.end(toBytes(body));
    });
};

export type WebClient = ReturnType<typeof createWebClient>;

/** `401 TOKEN_INVALID` */
export const show = ({ status, code, text }: Answer): string =>
  status === 0 ? `connection broken (${text})` : `${status}${code && ` ${code}`}`;

const QUIET_MILLISECONDS = 2_000;

/** Sends bytes that no client would make; resolves with all that came until the end of the connection, or a silence. */
export const sendBytes = (baseUrl: string, ...parts: string[]): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(baseUrl);
    let answer = '';
    const socket = connect(Number(port), hostname, () => {
      for (const part of parts) socket.write(part, 'latin1');
    });
    socket.setEncoding('latin1').setTimeout(QUIET_MILLISECONDS, () => socket.destroy());
    socket.on('data', (text: string) => {
      answer += text;
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(answer));
  });

/** The statuses of every answer on a connection. */
export const statusesIn = (bytes: string): number[] =>
  [...bytes.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
