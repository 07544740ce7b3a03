import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { percentile } from '../statistics.ts';

export type Request = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  path: string;
  headers: Record<string, string>;
  body?: string;
};

/** Where a response contains the token that the client's next request must present. */
export type TokenCarry = { from: 'cookie'; name: string } | { from: 'directus-body' };

/** `connections` clients, each of which sends its next request after the response to the previous one. */
export type ClosedLoopLoad = {
  url: string;
  connections: number;
  /** Seconds. Requests in progress at the end are completed. */
  duration: number;
  /** Divided among the connections. */
  requests: readonly Request[];
  /** Each connection has one request, and each response provides the token of the next one. */
  carry?: TokenCarry;
};

/** Requests sent at a constant rate, cycling through a list. */
export type Stream = {
  name: string;
  perSecond: number;
  requests: readonly Request[];
  /** A request is sent again only with the token of its last response. */
  carry?: TokenCarry;
};

/**
 * Concurrent streams over at most `connections` connections, however slow the responses are. `duration` is in
 * seconds.
 */
export type OpenLoopLoad = {
  url: string;
  connections: number;
  duration: number;
  streams: readonly Stream[];
};

/**
 * Clients that never pause, unless they honor `Retry-After`. Each sends its request again after the response.
 */
export type ClientLoopsLoad = {
  url: string;
  /** Seconds. Requests in progress at the end are completed. */
  duration: number;
  loops: readonly { name: string; connections: number; request: Request }[];
  honorsRetryAfter: boolean;
};

/** Times in milliseconds. */
export type LoadResult = {
  requests: number;
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
  statuses: Record<number, number>;
  unanswered: number;
  /** The requests for the next load, if tokens are carried over. */
  nextRequests: Request[];
};

const GRACE_SECONDS = 40;

/**
 * Runs a load in a separate process, so that nothing delays its clock. @throws Error if it does not end in
 * time
 */
const runLoad = async <Result>(script: string, load: { duration: number }): Promise<Result> => {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), { execArgv: [] });
  // Sending to a killed process fails. The exit event below reports it.
  child.on('error', () => undefined);
  const deadline = setTimeout(() => child.kill('SIGKILL'), (load.duration + GRACE_SECONDS) * 1_000);
  try {
    child.send(load);
    const outcome = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => undefined)]);
    if (!outcome) throw new Error('The load process exited without a result');
    return outcome[0] as Result;
  } finally {
    clearTimeout(deadline);
  }
};

/**
 * Runs in the child process: executes the load that it receives, then exits. An interrupted benchmark ends
 * it, too.
 */
export const receiveLoad = <Load>(run: (load: Load) => Promise<object>): void => {
  process.once('disconnect', () => process.exit(1));
  process.once('message', async (load: Load) => {
    const result = await run(load);
    process.send?.(result, () => process.exit(0));
  });
};

/** Measures the throughput: each connection always has a request in progress. */
export const runClosedLoop = (load: ClosedLoopLoad): Promise<LoadResult> => runLoad('./closed-loop.ts', load);

/** Measures the latency at a constant rate; returns one result for each stream. */
export const runOpenLoop = (load: OpenLoopLoad): Promise<Record<string, LoadResult>> =>
  runLoad('./open-loop.ts', load);

/** Returns one result for each loop. */
export const runClientLoops = (load: ClientLoopsLoad): Promise<Record<string, LoadResult>> =>
  runLoad('./client-loops.ts', load);

/** Describes the failed requests by status; undefined if there are none. */
export const describeFailures = ({ statuses, unanswered, requests }: LoadResult): string | undefined => {
  const failed = Object.entries(statuses).filter(([status]) => !status.startsWith('2'));
  const failures = failed.map(([status, count]) => `${count} × ${status}`);
  if (unanswered > 0) failures.push(`${unanswered} without a response`);
  if (requests === 0) failures.push('no response at all');
  return failures.length > 0 ? failures.join(', ') : undefined;
};

/** Counts and times the responses of a load, from its creation to the last response. */
export const createTally = () => {
  const started = performance.now();
  const milliseconds: number[] = [];
  const statuses: Record<number, number> = {};
  let last = started;
  return {
    add: (status: number, time: number): void => {
      last = performance.now();
      milliseconds.push(time);
      statuses[status] = (statuses[status] ?? 0) + 1;
    },
    summarize: (unanswered: number, nextRequests: Request[]): LoadResult => ({
      requests: milliseconds.length,
      perSecond: milliseconds.length / ((last - started) / 1_000),
      p50: percentile(milliseconds, 0.5),
      p95: percentile(milliseconds, 0.95),
      p99: percentile(milliseconds, 0.99),
      max: percentile(milliseconds, 1),
      statuses,
      unanswered,
      nextRequests,
    }),
  };
};

type TokenResponse = { setCookies: readonly string[]; body: string };

const withCookie = (request: Request, name: string, { setCookies }: TokenResponse): Request => {
  const cookie = setCookies.find((line) => line.startsWith(`${name}=`))?.split(';')[0];
  if (cookie === undefined) throw new Error(`The response sets no cookie ${name}`);
  return { ...request, headers: { ...request.headers, Cookie: cookie } };
};

/** The format of Directus' `POST /auth/refresh`. */
const withDirectusToken = (request: Request, { body }: TokenResponse): Request => {
  const { data } = JSON.parse(body) as { data: { refresh_token: string } };
  return { ...request, body: JSON.stringify({ refresh_token: data.refresh_token, mode: 'json' }) };
};

/** Returns the same request with the token of the response. */
export const toNextRequest = (request: Request, carry: TokenCarry, response: TokenResponse): Request =>
  carry.from === 'cookie' ? withCookie(request, carry.name, response) : withDirectusToken(request, response);

/**
 * Divides the requests evenly among the clients; with fewer requests than clients, each client gets all of
 * them.
 */
export const requestsOfClient = <Item>(items: readonly Item[], client: number, clients: number): Item[] =>
  items.length < clients ? [...items] : items.filter((_, index) => index % clients === client);
