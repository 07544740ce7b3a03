import type { BenchRun } from '../bench-run.ts';
import { measureLatency, measureThroughput, type Results, type Target } from '../interleaved-runs.ts';
import type { Request } from '../load/load.ts';
import { PLAN, SMALL } from '../plan.ts';
import { toRatio } from '../report/ratio.ts';
import { meWorkload, refreshWorkload, usersListWorkload } from '../workloads.ts';

export const RATE_COLUMNS = ['', 'requests/s', 'slowest', 'fastest', 'p50 ms', 'p95 ms', 'p99 ms'];

export const toRateRows = (results: Results): (string | number)[][] =>
  [...results].map(([name, { perSecond, rates, p50, p95, p99 }]) => [
    ...[name, perSecond, Math.min(...rates), Math.max(...rates), p50, p95, p99],
  ]);

const readResponse = async (url: string, { path, headers }: Request): Promise<string> => {
  const response = await fetch(url + path, { headers });
  return `${response.status} ${await response.text()}`;
};

/** A baseline is only valid if it does the same work. */
const requireSameResponse = async (urls: readonly string[], request: Request): Promise<void> => {
  const responses = new Set(await Promise.all(urls.map((url) => readResponse(url, request))));
  if (responses.size !== 1) throw new Error(`The responses differ:\n${[...responses].join('\n')}`);
};

const startMeTargets = async (run: BenchRun): Promise<Target[]> => {
  const platform = await run.small();
  const { gatewayUrl, authUrl } = platform;
  const [baseline, bareProxy] = [await run.baseline(), await run.bareProxy()];
  const [betterAuth, directus] = [await run.betterAuth(), await run.directus()];
  const { requests } = meWorkload(platform);
  for (const request of requests)
    await requireSameResponse([gatewayUrl, bareProxy.url, authUrl, baseline.url], request);
  return [
    { name: 'gateway', url: gatewayUrl, requests },
    { name: 'bare proxy', url: bareProxy.url, requests },
    { name: 'auth-service', url: authUrl, requests },
    { name: 'baseline', url: baseline.url, requests },
    ...betterAuth.map(({ url, me }) => ({ name: 'better-auth', url, requests: [me] })),
    ...directus.map(({ url, me }) => ({ name: 'Directus', url, requests: [me] })),
  ];
};

const ME_COMPARISONS = [
  { name: 'better-auth get-session', of: 'gateway', to: 'better-auth', atLeast: 4.5 },
  { name: 'Directus /users/me', of: 'gateway', to: 'Directus', atLeast: 15 },
  { name: 'the baseline, which does not batch lookups', of: 'auth-service', to: 'baseline', atLeast: 0.6 },
  { name: 'a bare http-proxy-middleware in Express', of: 'gateway', to: 'bare proxy', atLeast: 0.85 },
];

const reportMeLatency = ({ report }: BenchRun, results: Results): void => {
  const { latencyPerSecond, latencyRounds, latencySeconds } = PLAN;
  report.addTable(
    `me at ${latencyPerSecond} requests per second`,
    ['', 'p50 ms', 'p95 ms', 'p99 ms'],
    [...results].map(([name, { p50, p95, p99 }]) => [name, p50, p95, p99]),
  );
  report.addResult({
    name: `p99 of me at ${latencyPerSecond} requests per second, gateway`,
    unit: 'ms',
    target: { atMost: 3 },
    basis: `median of ${latencyRounds} × ${latencySeconds} s`,
    value: results.get('gateway')?.p99 ?? Number.NaN,
  });
};

/** `GET /customers/auth/me`: the signed-in user, read from Postgres for each request. */
export const measureMe = async (run: BenchRun): Promise<void> => {
  const targets = await startMeTargets(run);
  const results = await measureThroughput(targets);
  const { connections, rounds, seconds } = PLAN;
  const title = `me, ${connections} connections, medians of ${rounds} × ${seconds} s`;
  run.report.addTable(title, RATE_COLUMNS, toRateRows(results));
  for (const { name, ...comparison } of ME_COMPARISONS)
    run.report.addResult(toRatio(results, { name: `me, ${comparison.of} against ${name}`, ...comparison }));
  reportMeLatency(run, await measureLatency(targets));
};

const reportAgainstDirectus = (
  { report }: BenchRun,
  results: Results,
  { title, name, atLeast }: { title: string; name: string; atLeast: number },
): void => {
  report.addTable(title, RATE_COLUMNS, toRateRows(results));
  report.addResult(
    toRatio(results, { name: `${name}, gateway against Directus`, of: 'gateway', to: 'Directus', atLeast }),
  );
};

/** Chains of refreshes, one per connection. */
export const measureRefresh = async (run: BenchRun): Promise<void> => {
  const platform = await run.small();
  const targets: Target[] = [{ name: 'gateway', url: platform.gatewayUrl, ...refreshWorkload(platform) }];
  for (const { url, createSessions } of await run.directus())
    targets.push({
      ...{ name: 'Directus', url, requests: await createSessions(PLAN.connections) },
      carry: { from: 'directus-body' },
    });
  const title = `refresh, ${PLAN.connections} chains`;
  reportAgainstDirectus(run, await measureThroughput(targets), { title, name: 'refresh', atLeast: 5 });
};

/** The first ten users and their total, with the same number of users in both databases. */
export const measureUsersList = async (run: BenchRun): Promise<void> => {
  const platform = await run.small();
  const directus = await run.directus();
  const results = await measureThroughput([
    { name: 'gateway', url: platform.gatewayUrl, ...usersListWorkload(platform) },
    ...directus.map(({ url, list }) => ({ name: 'Directus', url, requests: [list] })),
  ]);
  const title = `list of ${SMALL.users} users, page 1 with total`;
  reportAgainstDirectus(run, results, { title, name: 'users list with total', atLeast: 8 });
};
