// One closed loop, in a process of its own so that no other disturbs its clock: started by load.ts, told by its message.
import autocannon, { type Client } from 'autocannon';
import type { Load, LoadResult } from './load.ts';
import { followRequest, type Request, shareOf } from './requests.ts';
import { createTally } from './tally.ts';

/** Ended by the clock, client by client, each after an answer. */
const ENDLESS = 1_000_000_000;
/** Milliseconds between its own samples, which are not used: by default it takes a thousand a second. */
const SAMPLE = 50;

type Answered = { setCookies: string[]; body: string };
const toAnswer = (body: string, headers: Record<string, unknown>): Answered => {
  const name = Object.keys(headers).find((key) => key.toLowerCase() === 'set-cookie');
  const cookies = name === undefined ? [] : headers[name];
  return { setCookies: [cookies].flat().map(String), body };
};

/** Gives each client its share of the requests; where tokens are carried, one request that each answer renews. */
const createClients = ({ requests, connections, carry }: Load) => {
  const followed: Request[] = [];
  const setUp = (client: Client): void => {
    const number = followed.length;
    const share = shareOf(requests, number, connections);
    const [first] = share;
    if (!first) throw new Error('A load needs requests');
    followed.push(first);
    if (!carry) {
      client.setRequests(share);
      return;
    }
    const onResponse = (_status: number, body: string, _context: object, headers: object = {}) => {
      const next = followRequest(followed[number] ?? first, carry, toAnswer(body, { ...headers }));
      followed[number] = next;
      client.setHeadersAndBody(next.headers, next.body);
    };
    client.setRequests([{ ...first, onResponse }]);
  };
  return { setUp, followed };
};

const run = (load: Load): Promise<LoadResult> => {
  const { promise, resolve, reject } = Promise.withResolvers<LoadResult>();
  const { url, connections } = load;
  const clients = createClients(load);
  // Autocannon's own histogram counts whole milliseconds, and knows no p95.
  const tally = createTally();
  const ends = performance.now() + load.duration * 1_000;
  const options = {
    url,
    connections,
    amount: ENDLESS,
    timeout: 60,
    sampleInt: SAMPLE,
    setupClient: clients.setUp,
  };
  const instance = autocannon(options, (error, result) => {
    if (error) return reject(error);
    resolve(tally.close(result.errors + result.timeouts, load.carry ? clients.followed : []));
  });
  instance.on('response', (client, status, _bytes, responseTime) => {
    tally.add(status, responseTime);
    if (performance.now() >= ends) (client as Client & { destroy(): void }).destroy();
  });
  return promise;
};

process.once('message', async (load: Load) => {
  const result = await run(load);
  process.send?.(result, () => process.exit(0));
});
