// The child process of runClosedLoop (load.ts). It receives its load as a message.
import autocannon, { type Client } from 'autocannon';
import {
  type ClosedLoopLoad,
  createTally,
  type LoadResult,
  type Request,
  receiveLoad,
  requestsOfClient,
  toNextRequest,
} from './load.ts';

/** The clock, not the number of requests, ends each client after one of its responses. */
const UNLIMITED = 1_000_000_000;
/**
 * Milliseconds between autocannon's samples, which are not used. By default it takes a thousand per second.
 */
const SAMPLE_INTERVAL = 50;

const readTokens = (body: string, headers: Record<string, unknown>) => {
  const name = Object.keys(headers).find((key) => key.toLowerCase() === 'set-cookie');
  const cookies = name === undefined ? [] : headers[name];
  return { setCookies: [cookies].flat().map(String), body };
};

/**
 * Gives each client its share of the requests. With `carry`, a client has one request, which each response
 * updates.
 */
const createClients = ({ requests, connections, carry }: ClosedLoopLoad) => {
  const nextRequests: Request[] = [];
  const setUp = (client: Client): void => {
    const index = nextRequests.length;
    const share = requestsOfClient(requests, index, connections);
    const [first] = share;
    if (!first) throw new Error('A load needs requests');
    nextRequests.push(first);
    if (!carry) {
      client.setRequests(share);
      return;
    }
    const onResponse = (_status: number, body: string, _context: object, headers: object = {}) => {
      const next = toNextRequest(nextRequests[index] ?? first, carry, readTokens(body, { ...headers }));
      nextRequests[index] = next;
      client.setHeadersAndBody(next.headers, next.body);
    };
    client.setRequests([{ ...first, onResponse }]);
  };
  return { setUp, nextRequests };
};

const run = (load: ClosedLoopLoad): Promise<LoadResult> => {
  const { promise, resolve, reject } = Promise.withResolvers<LoadResult>();
  const { url, connections } = load;
  const clients = createClients(load);
  // Autocannon's histogram counts whole milliseconds and has no p95.
  const tally = createTally();
  const ends = performance.now() + load.duration * 1_000;
  const options = {
    url,
    connections,
    amount: UNLIMITED,
    timeout: 60,
    sampleInt: SAMPLE_INTERVAL,
    setupClient: clients.setUp,
  };
  const instance = autocannon(options, (error, result) => {
    if (error) return reject(error);
    resolve(tally.summarize(result.errors + result.timeouts, load.carry ? clients.nextRequests : []));
  });
  instance.on('response', (client, status, _bytes, responseTime) => {
    tally.add(status, responseTime);
    if (performance.now() >= ends) (client as Client & { destroy(): void }).destroy();
  });
  return promise;
};

receiveLoad(run);
