// One open loop, in a process of its own: started by load.ts, told by its message. Autocannon's fixed rate sends a second's
// requests in a burst and corrects the times afterwards; here each request has its moment, and its clock runs from then on,
// through any wait for a connection, so that no slow answer hides the ones behind it (no coordinated omission).
import { Agent, type IncomingMessage, request as send } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { LoadResult } from './load.ts';
import type { PacedLoad, Stream } from './open-loop-load.ts';
import { followRequest, type Request } from './requests.ts';
import { createTally } from './tally.ts';

type Answer = { status: number; setCookies: string[]; body: string };
type Send = (request: Request) => Promise<Answer>;

const readAnswer = async (incoming: IncomingMessage): Promise<Answer> => {
  let body = '';
  incoming.setEncoding('utf8');
  for await (const chunk of incoming) body += chunk;
  return { status: incoming.statusCode ?? 0, setCookies: incoming.headers['set-cookie'] ?? [], body };
};

const createSender = (url: string, connections: number): Send => {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return ({ method, path, headers, body }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const outgoing = send({ agent, hostname, port, method, path, headers: { ...headers, ...length } });
    outgoing.on('response', (incoming) => void readAnswer(incoming).then(resolve, reject));
    outgoing.on('error', reject);
    outgoing.end(body);
    return promise;
  };
};

/** The requests of a stream, in turn. One whose answer carries a token is not handed out again until it was put back. */
const createTurns = ({ requests, carry }: Stream) => {
  const free = [...requests];
  const waiting: ((request: Request) => void)[] = [];
  let count = 0;
  const next = (): Promise<Request> => {
    const inTurn = requests[count++ % requests.length];
    if (!carry && inTurn) return Promise.resolve(inTurn);
    const request = free.shift();
    return request ? Promise.resolve(request) : new Promise((resolve) => waiting.push(resolve));
  };
  const putBack = (request: Request): void => {
    const first = waiting.shift();
    if (first) first(request);
    else free.push(request);
  };
  return { next, putBack };
};

const runStream = async (stream: Stream, sendOne: Send, seconds: number): Promise<LoadResult> => {
  const tally = createTally();
  const turns = createTurns(stream);
  let unanswered = 0;
  const exchange = async (): Promise<void> => {
    const started = performance.now();
    try {
      const request = await turns.next();
      const answer = await sendOne(request);
      tally.add(answer.status, performance.now() - started);
      if (stream.carry) turns.putBack(followRequest(request, stream.carry, answer));
    } catch {
      unanswered += 1;
    }
  };
  const open: Promise<void>[] = [];
  const began = performance.now();
  for (let due = began; due < began + seconds * 1_000; due += 1_000 / stream.perSecond) {
    const early = due - performance.now();
    if (early > 0) await delay(early);
    open.push(exchange());
  }
  await Promise.all(open);
  return tally.close(unanswered, []);
};

const run = async ({ url, connections, duration, streams }: PacedLoad) => {
  const sendOne = createSender(url, connections);
  const results = streams.map(
    async (stream) => [stream.name, await runStream(stream, sendOne, duration)] as const,
  );
  return Object.fromEntries(await Promise.all(results));
};

process.once('message', async (load: PacedLoad) => {
  const result = await run(load);
  process.send?.(result, () => process.exit(0));
});
