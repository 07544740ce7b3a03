import type { BenchRun } from '../bench-run.ts';
import { measureLatency, measureThroughput, type Results, type Target } from '../interleaved-runs.ts';
import type { Request } from '../load/load.ts';
import { PLAN } from '../plan.ts';
import type { Bar } from '../report/bar-chart.ts';
import { formatNumber, type Result } from '../report/table.ts';
import type { Available } from '../targets/peer.ts';
import { meWorkload, refreshWorkload, usersListWorkload } from '../workloads.ts';

export const RATE_COLUMNS = ['', 'requests/s', 'slowest', 'fastest', 'p50 ms', 'p95 ms', 'p99 ms'];

export const toRateRows = (results: Results): (string | number)[][] =>
  [...results].map(([name, { perSecond, rates, p50, p95, p99 }]) => [
    ...[name, perSecond, Math.min(...rates), Math.max(...rates), p50, p95, p99],
  ]);

/** The target of a peer; none if the peer does not run. */
export const toTargets = <Peer>(available: Available<Peer>, toTarget: (peer: Peer) => Target): Target[] =>
  'peer' in available ? [toTarget(available.peer)] : [];

const missingOf = <Peer>(available: Available<Peer>): string | undefined =>
  'missing' in available ? available.missing : undefined;

type Comparison = { name: string; of: string; to: string; atLeast: number; missing?: string | undefined };

/** The throughput of one target relative to another one. */
export const toRatio = (results: Results, { name, of, to, atLeast, missing }: Comparison): Result => {
  const [one, other] = [results.get(of), results.get(to)];
  const result = { name, unit: '×', target: { atLeast } } as const;
  if (!one || !other) return { ...result, missing: missing ?? `${of} or ${to} was not measured` };
  const basis = `${formatNumber(one.perSecond)}/s against ${formatNumber(other.perSecond)}/s`;
  return { ...result, basis, value: one.perSecond / other.perSecond };
};

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

const startMeTargets = async (run: BenchRun) => {
  const platform = await run.small();
  const { gatewayUrl, authUrl } = platform;
  const [baseline, bareProxy] = [await run.baseline(), await run.bareProxy()];
  const [nginx, betterAuth, directus] = [await run.nginx(), await run.betterAuth(), await run.directus()];
  const { requests } = meWorkload(platform);
  for (const request of requests)
    await requireSameResponse([gatewayUrl, bareProxy.url, authUrl, baseline.url], request);
  const targets: Target[] = [
    { name: 'gateway', url: gatewayUrl, requests },
    { name: 'bare proxy', url: bareProxy.url, requests },
    ...toTargets(nginx, ({ url }) => ({ name: 'nginx', url, requests })),
    { name: 'auth-service', url: authUrl, requests },
    { name: 'baseline', url: baseline.url, requests },
    ...toTargets(betterAuth, ({ url, me }) => ({ name: 'better-auth', url, requests: [me] })),
    ...toTargets(directus, ({ url, me }) => ({ name: 'Directus', url, requests: [me] })),
  ];
  const missing = {
    nginx: missingOf(nginx),
    betterAuth: missingOf(betterAuth),
    directus: missingOf(directus),
  };
  return { targets, missing };
};

/** `GET /customers/auth/me`: the signed-in user, read from Postgres for each request. */
export const measureMe = async (run: BenchRun): Promise<void> => {
  const { report } = run;
  const { targets, missing } = await startMeTargets(run);
  const results = await measureThroughput(targets);
  const { connections, rounds, seconds, latencyPerSecond } = PLAN;
  const title = `me, ${connections} connections, medians of ${rounds} × ${seconds} s`;
  report.addTable(title, RATE_COLUMNS, toRateRows(results));
  report.addTable(
    `me at ${latencyPerSecond} requests per second`,
    ['', 'p50 ms', 'p95 ms', 'p99 ms'],
    [...(await measureLatency(targets))].map(([name, { p50, p95, p99 }]) => [name, p50, p95, p99]),
  );
  const gateway = { of: 'gateway' };
  for (const comparison of [
    {
      name: 'better-auth get-session',
      ...gateway,
      to: 'better-auth',
      atLeast: 4,
      missing: missing.betterAuth,
    },
    { name: 'Directus /users/me', ...gateway, to: 'Directus', atLeast: 15, missing: missing.directus },
    { name: 'the baseline', of: 'auth-service', to: 'baseline', atLeast: 0.6 },
    { name: 'a bare http-proxy-middleware', ...gateway, to: 'bare proxy', atLeast: 0.74 },
    { name: 'nginx', ...gateway, to: 'nginx', atLeast: 0.65, missing: missing.nginx },
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
      ['nginx', 'nginx → auth-service', 'baseline'],
      ['gateway', 'gateway → auth-service', 'ours'],
      ['bare proxy', 'bare proxy → auth-service', 'baseline'],
      ['better-auth', 'better-auth on Express', 'peer'],
      ['Directus', 'Directus', 'peer'],
    ]),
  });
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
    ...{ service: 'auth-service', atLeast: 4 },
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
    ...{ service: 'admin-service', atLeast: 5 },
  };
  reportAgainstDirectus(run, results, comparison, missingOf(directus));
};
