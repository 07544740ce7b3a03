import type { BenchRun } from '../bench-run.ts';
import { measureLatency, measureThroughput, type Results, type Target } from '../interleaved-runs.ts';
import type { Request } from '../load/load.ts';
import { PLAN } from '../plan.ts';
import type { Bar } from '../report/bar-chart.ts';
import { toRatio } from '../report/ratio.ts';
import type { Available } from '../targets/peer.ts';
import { meWorkload, refreshWorkload, usersListWorkload } from '../workloads.ts';

export const RATE_COLUMNS = ['', 'requests/s', 'slowest', 'fastest', 'p50 ms', 'p95 ms', 'p99 ms'];

export const toRateRows = (results: Results): (string | number)[][] =>
  [...results].map(([name, { perSecond, rates, p50, p95, p99 }]) => [
    ...[name, perSecond, Math.min(...rates), Math.max(...rates), p50, p95, p99],
  ]);

const NGINX = 'nginx';
/** Milliseconds. */
const MAX_P99 = 3;

/** The target of a peer; none if the peer does not run. */
export const toTargets = <Peer>(available: Available<Peer>, toTarget: (peer: Peer) => Target): Target[] =>
  'peer' in available ? [toTarget(available.peer)] : [];

const missingOf = <Peer>(available: Available<Peer>): string | undefined =>
  'missing' in available ? available.missing : undefined;

type BarLabel = readonly [name: string, label: string, side: Bar['side']];

const toBars = (results: Results, labels: readonly BarLabel[]): Bar[] =>
  labels.flatMap(([name, label, side]) => {
    const result = results.get(name);
    return result ? [{ label, value: result.perSecond, side }] : [];
  });

const readResponse = async (url: string, { path, headers }: Request): Promise<string> => {
  const response = await fetch(url + path, { headers });
  return `${response.status} ${await response.text()}`;
};

/** A baseline is only valid if it does the same work. */
const requireSameResponse = async (urls: readonly string[], request: Request): Promise<void> => {
  const responses = new Set(await Promise.all(urls.map((url) => readResponse(url, request))));
  if (responses.size !== 1) throw new Error(`The responses differ:\n${[...responses].join('\n')}`);
};

/** Information only: nginx does a part of the gateway's work, without and with an access log. */
const startNginxTargets = async (run: BenchRun, requests: readonly Request[]): Promise<Target[]> => {
  const nginx = await run.nginx();
  if ('missing' in nginx) run.report.addNote(`${nginx.missing}, so its rows are missing`);
  return [
    ...toTargets(nginx, ({ url }) => ({ name: NGINX, url, requests })),
    ...toTargets(nginx, ({ loggedUrl: url }) => ({ name: `${NGINX}, with an access log`, url, requests })),
  ];
};

const startMeTargets = async (run: BenchRun) => {
  const platform = await run.small();
  const { gatewayUrl, authUrl } = platform;
  const [baseline, bareProxy] = [await run.baseline(), await run.bareProxy()];
  const [betterAuth, directus] = [await run.betterAuth(), await run.directus()];
  const { requests } = meWorkload(platform);
  for (const request of requests)
    await requireSameResponse([gatewayUrl, bareProxy.url, authUrl, baseline.url], request);
  const targets: Target[] = [
    { name: 'gateway', url: gatewayUrl, requests },
    { name: 'bare proxy', url: bareProxy.url, requests },
    { name: 'auth-service', url: authUrl, requests },
    { name: 'baseline', url: baseline.url, requests },
    ...(await startNginxTargets(run, requests)),
    ...toTargets(betterAuth, ({ url, me }) => ({ name: 'better-auth', url, requests: [me] })),
    ...toTargets(directus, ({ url, me }) => ({ name: 'Directus', url, requests: [me] })),
  ];
  return { targets, missing: { betterAuth: missingOf(betterAuth), directus: missingOf(directus) } };
};

const reportMeRates = (
  { report }: BenchRun,
  results: Results,
  missing: { betterAuth: string | undefined; directus: string | undefined },
): void => {
  const { connections, rounds, seconds } = PLAN;
  const title = `me, ${connections} connections, medians of ${rounds} × ${seconds} s`;
  report.addTable(title, RATE_COLUMNS, toRateRows(results));
  const gateway = { of: 'gateway' };
  const proxy = 'a bare http-proxy-middleware in Express';
  for (const comparison of [
    {
      name: 'better-auth get-session',
      ...gateway,
      to: 'better-auth',
      atLeast: 4.5,
      missing: missing.betterAuth,
    },
    { name: 'Directus /users/me', ...gateway, to: 'Directus', atLeast: 15, missing: missing.directus },
    { name: 'the baseline, which does not batch lookups', of: 'auth-service', to: 'baseline', atLeast: 0.6 },
    { name: proxy, ...gateway, to: 'bare proxy', atLeast: 0.85 },
  ])
    report.addResult(
      toRatio(results, { ...comparison, name: `me, ${comparison.of} against ${comparison.name}` }),
    );
  report.addChart({
    title: 'Signed-in user (me, get-session, /users/me)',
    unit: 'requests per second',
    bars: toBars(results, [
      ['baseline', 'bare node:http + the query', 'baseline'],
      ['auth-service', 'auth-service', 'ours'],
      [NGINX, 'nginx → auth-service', 'baseline'],
      ['gateway', 'gateway → auth-service', 'ours'],
      ['bare proxy', 'bare proxy → auth-service', 'baseline'],
      ['better-auth', 'better-auth on Express', 'peer'],
      ['Directus', 'Directus', 'peer'],
    ]),
  });
};

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
    target: { atMost: MAX_P99 },
    basis: `median of ${latencyRounds} × ${latencySeconds} s`,
    value: results.get('gateway')?.p99 ?? Number.NaN,
  });
};

/** `GET /customers/auth/me`: the signed-in user, read from Postgres for each request. */
export const measureMe = async (run: BenchRun): Promise<void> => {
  const { targets, missing } = await startMeTargets(run);
  reportMeRates(run, await measureThroughput(targets), missing);
  reportMeLatency(run, await measureLatency(targets));
};

type DirectusComparison = { title: string; name: string; chart: string; service: string; atLeast: number };

const reportAgainstDirectus = (
  { report }: BenchRun,
  results: Results,
  { title, name, chart, service, atLeast }: DirectusComparison,
  missing: string | undefined,
): void => {
  report.addTable(title, RATE_COLUMNS, toRateRows(results));
  report.addResult(toRatio(results, { name, of: 'gateway', to: 'Directus', atLeast, missing }));
  const bars = toBars(results, [
    ['gateway', `gateway → ${service}`, 'ours'],
    ['Directus', 'Directus', 'peer'],
  ]);
  report.addChart({ title: chart, unit: 'requests per second', bars });
};

/** Chains of refreshes, one per connection. */
export const measureRefresh = async (run: BenchRun): Promise<void> => {
  const platform = await run.small();
  const directus = await run.directus();
  const sessions = 'peer' in directus ? await directus.peer.createSessions(PLAN.connections) : [];
  const results = await measureThroughput([
    { name: 'gateway', url: platform.gatewayUrl, ...refreshWorkload(platform) },
    ...toTargets(directus, ({ url }) => ({
      ...{ name: 'Directus', url, requests: sessions },
      carry: { from: 'directus-body' },
    })),
  ]);
  const comparison = {
    title: `refresh, ${PLAN.connections} chains`,
    name: 'refresh, gateway against Directus',
    chart: 'Refresh, each with the token of the previous one',
    ...{ service: 'auth-service', atLeast: 5 },
  };
  reportAgainstDirectus(run, results, comparison, missingOf(directus));
};

/** The first ten users and their total, with the same number of users in both databases. */
export const measureUsersList = async (run: BenchRun): Promise<void> => {
  const platform = await run.small();
  const directus = await run.directus();
  const results = await measureThroughput([
    { name: 'gateway', url: platform.gatewayUrl, ...usersListWorkload(platform) },
    ...toTargets(directus, ({ url, list }) => ({ name: 'Directus', url, requests: [list] })),
  ]);
  const { users } = platform.size;
  const comparison = {
    title: `list of ${users} users, page 1 with total`,
    name: 'users list with total, gateway against Directus',
    chart: `Ten of ${users.toLocaleString('en-US')} users, and their total`,
    ...{ service: 'admin-service', atLeast: 8 },
  };
  reportAgainstDirectus(run, results, comparison, missingOf(directus));
};
