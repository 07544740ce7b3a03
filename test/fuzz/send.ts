import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { bytesOf, type Draft, targetOf } from './draft.ts';

export type FuzzAnswer = { status: number; headers: Record<string, string>; text: string };
/** An answer, or why there is none. */
export type FuzzOutcome = FuzzAnswer | { failure: string };

const LIMIT_MILLISECONDS = 15_000;

const headersOf = (draft: Draft, host: string): string[] => {
  const bytes = bytesOf(draft);
  const has = (name: string) => draft.headers.some(([other]) => other.toLowerCase() === name);
  const own: [string, string][] = [...draft.headers];
  if (!has('host')) own.unshift(['Host', host]);
  if (bytes && !has('content-type') && !draft.omitsContentType)
    own.push(['Content-Type', 'application/json']);
  // Node would send an empty body in chunks.
  const length = bytes?.length ?? (/^(?:POST|PUT|PATCH)$/.test(draft.method) ? 0 : undefined);
  if (length !== undefined && !has('transfer-encoding')) own.push(['Content-Length', String(length)]);
  return own.flat();
};

const readText = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

const flatten = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** Sends what Node's own client can send. */
export const createSender = (baseUrl: string) => {
  const { hostname, port, host } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const send = (draft: Draft): Promise<FuzzOutcome> =>
    new Promise((resolve) => {
      const { method } = draft;
      const options = {
        agent,
        hostname,
        port,
        method,
        path: targetOf(draft),
        headers: headersOf(draft, host),
      };
      const outgoing = request(options);
      const limit = setTimeout(() => outgoing.destroy(new Error('no answer in time')), LIMIT_MILLISECONDS);
      // An answer may come before the body is sent, and the connection end under it.
      outgoing.on('error', (error) => resolve({ failure: error.message }));
      outgoing.on('close', () => clearTimeout(limit));
      outgoing.on('upgrade', (_incoming, socket) => {
        socket.destroy();
        resolve({ failure: 'an upgrade was accepted' });
      });
      outgoing.on('response', (incoming) => {
        readText(incoming).then(
          (text) => resolve({ status: incoming.statusCode ?? 0, headers: flatten(incoming), text }),
          () => resolve({ failure: 'the answer was cut off' }),
        );
      });
      outgoing.end(bytesOf(draft));
    });
  return { send, close: () => agent.destroy() };
};

const parseAnswer = (text: string): FuzzOutcome => {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  if (end === -1 || Number.isNaN(status)) return { failure: `no HTTP: ${text.slice(0, 60)}` };
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status, headers: Object.fromEntries(headers), text: text.slice(end + 4) };
};

/** Sends bytes that no client should send, and reads the one answer until the server ends the connection. */
export const sendRaw = (baseUrl: string, bytes: Buffer): Promise<FuzzOutcome> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(baseUrl);
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(LIMIT_MILLISECONDS, () => socket.destroy(new Error('no answer in time')));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error) => {
      if (chunks.length === 0) resolve({ failure: error.message });
    });
    socket.on('close', () => resolve(parseAnswer(Buffer.concat(chunks).toString('utf8'))));
  });
