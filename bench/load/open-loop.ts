// The child process of runOpenLoop (load.ts). It receives its load as a message. Autocannon's fixed rate
// sends the requests of a second as a burst and corrects the times afterwards. Here each request has a
// scheduled time, and its latency counts from then, including the wait for a connection. So a slow response
// does not delay later requests (no coordinated omission).
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
import { createSender, type Send } from './sender.ts';

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
