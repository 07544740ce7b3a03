// The child process of runOpenLoop (load.ts). It receives its load as a message. Autocannon's fixed rate
// sends the requests of a second as a burst and corrects the times afterwards. Here each request has a
// scheduled time, and its latency counts from then, including the wait for a connection. So a slow response
// does not delay later requests (no coordinated omission).
import { Agent, type IncomingMessage, request as send } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createTally,
  type LoadResult,
  type OpenLoopLoad,
  type Request,
  receiveLoad,
  type Stream,
  toNextRequest,
} from './load.ts';

type ReceivedResponse = { status: number; setCookies: string[]; body: string };
type Send = (request: Request) => Promise<ReceivedResponse>;

const readResponse = async (incoming: IncomingMessage): Promise<ReceivedResponse> => {
  let body = '';
  incoming.setEncoding('utf8');
  for await (const chunk of incoming) body += chunk;
  return { status: incoming.statusCode ?? 0, setCookies: incoming.headers['set-cookie'] ?? [], body };
};

const createSender = (url: string, connections: number): Send => {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return ({ method, path, headers, body }) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReceivedResponse>();
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const outgoing = send({ agent, hostname, port, method, path, headers: { ...headers, ...length } });
    outgoing.on('response', (incoming) => void readResponse(incoming).then(resolve, reject));
    outgoing.on('error', reject);
    outgoing.end(body);
    return promise;
  };
};

/**
 * Cycles through the requests of a stream. With `carry`, a request is acquired again only after its release.
 */
const createRequestPool = ({ requests, carry }: Stream) => {
  const free = [...requests];
  const waiting: ((request: Request) => void)[] = [];
  let count = 0;
  const acquire = (): Promise<Request> => {
    const next = requests[count++ % requests.length];
    if (!carry && next) return Promise.resolve(next);
    const request = free.shift();
    return request ? Promise.resolve(request) : new Promise((resolve) => waiting.push(resolve));
  };
  const release = (request: Request): void => {
    const first = waiting.shift();
    if (first) first(request);
    else free.push(request);
  };
  return { acquire, release, released: (): Request[] => (carry ? free : []) };
};

const runStream = async (stream: Stream, sendOne: Send, seconds: number): Promise<LoadResult> => {
  const tally = createTally();
  const pool = createRequestPool(stream);
  let unanswered = 0;
  const exchange = async (): Promise<void> => {
    const started = performance.now();
    try {
      const request = await pool.acquire();
      const response = await sendOne(request);
      tally.add(response.status, performance.now() - started);
      if (stream.carry) pool.release(toNextRequest(request, stream.carry, response));
    } catch {
      unanswered += 1;
    }
  };
  const pending: Promise<void>[] = [];
  const began = performance.now();
  for (let due = began; due < began + seconds * 1_000; due += 1_000 / stream.perSecond) {
    const early = due - performance.now();
    if (early > 0) await delay(early);
    pending.push(exchange());
  }
  await Promise.all(pending);
  return tally.summarize(unanswered, pool.released());
};

const run = async ({ url, connections, duration, streams }: OpenLoopLoad) => {
  const sendOne = createSender(url, connections);
  const results = streams.map(
    async (stream) => [stream.name, await runStream(stream, sendOne, duration)] as const,
  );
  return Object.fromEntries(await Promise.all(results));
};

receiveLoad(run);
