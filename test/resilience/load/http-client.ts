import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

export type Call = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  headers?: Record<string, string>;
  body?: object;
};

export type Answer = {
  kind: 'answer';
  status: number;
  /** Of an error body. */
  code: string | undefined;
  headers: IncomingHttpHeaders;
  body: unknown;
};
/** `refused`: nothing was sent. `reset`: no answer came. `cut off`: half of one came. */
export type Failure = { kind: 'failure'; cause: string; isReused: boolean };
export type Outcome = Answer | Failure;

const LIMIT_MILLISECONDS = 10_000;
const MAX_SOCKETS = 64;

const CAUSES: Record<string, string> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ETIMEDOUT: 'timeout',
};

const causeOf = ({ code, message }: NodeJS.ErrnoException): string => CAUSES[code ?? ''] ?? code ?? message;

const parseBody = (text: string, headers: IncomingHttpHeaders): unknown =>
  text !== '' && /^application\/json/.test(headers['content-type'] ?? '') ? JSON.parse(text) : undefined;

const codeIn = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : undefined;

const readAnswer = async (incoming: IncomingMessage): Promise<Answer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { headers, statusCode = 0 } = incoming;
  const body = parseBody(Buffer.concat(chunks).toString('utf8'), headers);
  return { kind: 'answer', status: statusCode, code: codeIn(body), headers, body };
};

/** A client that keeps its connections, never tries again, and tells how each request ended; it never throws. */
export const createHttpClient = (baseUrl: string) => {
  const { hostname, port } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS, scheduling: 'fifo' });

  const send = ({ method, path, headers = {}, body }: Call): Promise<Outcome> =>
    new Promise((resolve) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const type = text === undefined ? {} : { 'Content-Type': 'application/json' };
      const outgoing = request({ agent, hostname, port, method, path, headers: { ...type, ...headers } });
      const fail = (cause: string) =>
        resolve({ kind: 'failure', cause, isReused: outgoing.reusedSocket === true });
      const limit = setTimeout(() => {
        fail('timeout');
        outgoing.destroy();
      }, LIMIT_MILLISECONDS);
      outgoing.on('error', (error) => fail(causeOf(error)));
      outgoing.on('response', (incoming) => {
        readAnswer(incoming).then(resolve, () => fail('cut off'));
      });
      outgoing.on('close', () => clearTimeout(limit));
      outgoing.end(text);
    });

  return { send, close: () => agent.destroy() };
};

export type HttpClient = ReturnType<typeof createHttpClient>;
