import { Agent, request } from 'node:http';
import type { BenchRun, SeededServers } from '../bench-run.ts';
import { measureThroughput, type Target } from '../interleaved-runs.ts';
import { LIST_CASES, type ListCase, pageAt, toPath } from '../list-cases.ts';
import { LARGE, PLAN, SMALL, sessionCount } from '../plan.ts';
import { formatNumber } from '../report/table.ts';
import { percentile } from '../statistics.ts';
import { meWorkload, refreshWorkload, type Workload } from '../workloads.ts';
import { RATE_COLUMNS, toRateRows } from './throughput.ts';

/** Sessions from all over the table, so that the requests do not read the same few rows. */
const SESSIONS = 2_000;
const MAX_RATIO = 3;
const MAX_FIRST_PAGE = 60;
const FIRST_PAGES = ['users all', 'projects all', 'teams all'];

/** Enough for a p95 that one outlier does not change; slow queries are repeated less often. */
const MAX_REPETITIONS = 200;
const MIN_REPETITIONS = 20;
const WARM_REPETITIONS = 3;

const count = (number: number): string => number.toLocaleString('en-US');

/** The total of teams has another place than those of users and projects. */
type ListBody = { total: number } | { meta: { total: number } };

const readTotal = async (url: string, agent: Agent, headers: Record<string, string>): Promise<number> => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const outgoing = request(url, { agent, headers }, (incoming) => {
    let body = '';
    incoming.setEncoding('utf8');
    incoming.on('data', (chunk: string) => {
      body += chunk;
    });
    incoming.on('end', () => {
      if (incoming.statusCode === 200) resolve(body);
      else reject(new Error(`${url}: ${incoming.statusCode} ${body}`));
    });
  });
  outgoing.on('error', reject);
  outgoing.end();
  const body = JSON.parse(await promise) as ListBody;
  return 'meta' in body ? body.meta.total : body.total;
};

type ListTimes = { total: number; p50: number; p95: number };

/** Sends the requests of a list case sequentially over one connection. */
const measureList = async (servers: SeededServers, listCase: ListCase): Promise<ListTimes> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const read = (page: number) =>
    readTotal(servers.adminUrl + toPath(listCase, page), agent, servers.adminHeaders);
  const total = await read(1);
  const page = pageAt(total, listCase.depth);
  for (let repetition = 0; repetition < WARM_REPETITIONS; repetition += 1) await read(page);
  const times: number[] = [];
  const ends = performance.now() + PLAN.listBudgetMilliseconds;
  while (times.length < MIN_REPETITIONS || (times.length < MAX_REPETITIONS && performance.now() < ends)) {
    const started = performance.now();
    await read(page);
    times.push(performance.now() - started);
  }
  agent.destroy();
  return { total, p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
};

type Comparison = { name: string; small: ListTimes; large: ListTimes; ratio: number };

const compareLists = async (small: SeededServers, large: SeededServers): Promise<Comparison[]> => {
  const comparisons: Comparison[] = [];
  for (const listCase of LIST_CASES) {
    const one = await measureList(small, listCase);
    const other = await measureList(large, listCase);
    comparisons.push({ name: listCase.name, small: one, large: other, ratio: other.p95 / one.p95 });
  }
  return comparisons;
};

const reportLists = ({ report }: BenchRun, comparisons: readonly Comparison[]): void => {
  report.addTable(
    `Every list and search, over HTTP, at ${count(LARGE.users)} users and ${count(LARGE.projects)} projects`,
    ['', 'rows', 'p50 ms', 'p95 ms', `p95 ms at ${count(SMALL.users)} users`, 'ratio'],
    comparisons.map(({ name, small, large, ratio }) => [
      ...[name, count(large.total), large.p50, large.p95, small.p95, ratio],
    ]),
  );
  const worst = comparisons.reduce((one, other) => (other.ratio > one.ratio ? other : one));
  const over = comparisons.filter(({ ratio }) => ratio > MAX_RATIO).length;
  const times = `${formatNumber(worst.large.p95)} ms against ${formatNumber(worst.small.p95)} ms`;
  report.addResult({
    name: `each list and search, p95 at ${count(LARGE.users)} users against ${count(SMALL.users)}: the worst`,
    basis: `${worst.name}: ${times}; ${over} of ${comparisons.length} are over ${MAX_RATIO} ×`,
    unit: '×',
    target: { atMost: MAX_RATIO },
    value: worst.ratio,
  });
  const firstPages = comparisons.filter(({ name }) => FIRST_PAGES.includes(name));
  report.addResult({
    name: `first page unfiltered with its exact total at ${count(LARGE.users)} users, p95: the slowest`,
    basis: firstPages.map(({ name, large }) => `${name} ${formatNumber(large.p95)} ms`).join(', '),
    unit: 'ms',
    target: { atMost: MAX_FIRST_PAGE },
    value: Math.max(...firstPages.map(({ large }) => large.p95)),
  });
};

const measureTokens = async (run: BenchRun, small: SeededServers, large: SeededServers): Promise<void> => {
  const measure = (name: string, create: (servers: SeededServers) => Workload) => {
    const toTarget = (servers: SeededServers): Target => ({
      name: `${name} at ${count(servers.size.users)} users`,
      url: servers.gatewayUrl,
      ...create(servers),
    });
    return measureThroughput([toTarget(small), toTarget(large)], { rounds: 3 });
  };
  const me = await measure('me', (servers) => meWorkload(servers, SESSIONS));
  const refresh = await measure('refresh', (servers) => refreshWorkload(servers));
  const title = `${SESSIONS} sessions, of ${count(sessionCount(SMALL))} and of ${count(sessionCount(LARGE))} token records`;
  run.report.addTable(title, RATE_COLUMNS, [...toRateRows(me), ...toRateRows(refresh)]);
};

/** The same measurements with a hundred times as many rows. */
export const measureGrowth = async (run: BenchRun): Promise<void> => {
  const small = await run.small();
  const large = await run.large();
  await measureTokens(run, small, large);
  reportLists(run, await compareLists(small, large));
};
