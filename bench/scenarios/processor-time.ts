import type { BenchRun, SeededPlatform } from '../bench-run.ts';
import { measureSaturated, type Results, type Target } from '../interleaved-runs.ts';
import type { Request } from '../load/load.ts';
import { PLAN, SERVICE_CONNECTIONS, SMALL } from '../plan.ts';
import { COST_COLUMNS, toCostRows, toRatio } from '../report/ratio.ts';
import { pidsOf } from '../targets/platform.ts';
import {
  introspectionWorkloads,
  meWorkload,
  refreshWorkload,
  usersListWorkload,
  type Workload,
} from '../workloads.ts';

/** Fewer than the number of tokens that auth-service caches. */
const INTROSPECTED_SESSIONS = 500;

const readResponse = async (url: string, { path, headers }: Request): Promise<string> => {
  const response = await fetch(url + path, { headers });
  return `${response.status} ${await response.text()}`;
};

/** A baseline is only valid if it does the same work. */
const requireSameResponse = async (urls: readonly string[], [request]: readonly Request[]): Promise<void> => {
  if (!request) throw new Error('There is no request');
  const responses = new Set(await Promise.all(urls.map((url) => readResponse(url, request))));
  if (responses.size !== 1) throw new Error(`The responses differ:\n${[...responses].join('\n')}`);
};

const toTarget = (
  { platform, gatewayUrl: url }: SeededPlatform,
  service: 'auth' | 'admin',
  workload: Workload,
): Target => ({
  name: 'platform',
  url,
  ...workload,
  pids: pidsOf(platform.stack, ['gateway', service, 'postgres', 'redis']),
});

/** Peers have their database on the same server. */
const toPeerTarget = (
  { platform }: SeededPlatform,
  { name, url, pid }: { name: string; url: string; pid: number },
  workload: Workload,
): Target => ({
  name,
  url,
  ...workload,
  pids: { [name]: pid, ...pidsOf(platform.stack, ['postgres']) },
});

const reportCosts = (
  { report }: BenchRun,
  title: string,
  results: Results,
  connections: number = PLAN.connections,
): void => {
  const { rounds, seconds } = PLAN;
  const load = `${connections} connections, medians of ${rounds} × ${seconds} s`;
  report.addTable(`${title}, ${load}`, COST_COLUMNS, toCostRows(results));
};

const startMeTargets = async (run: BenchRun): Promise<[platform: Target, proxy: Target, ...Target[]]> => {
  const platform = await run.small();
  const [bareProxy, tutorial] = [await run.bareProxy(), await run.tutorial()];
  const workload = meWorkload(platform);
  await requireSameResponse([platform.gatewayUrl, bareProxy.url, tutorial.url], workload.requests);
  const target = toTarget(platform, 'auth', workload);
  const peers = [...(await run.betterAuth()), ...(await run.directus())];
  return [
    target,
    { ...target, name: 'bare proxy', url: bareProxy.url, pids: { ...target.pids, gateway: bareProxy.pid } },
    {
      name: 'tutorial',
      url: tutorial.url,
      ...workload,
      pids: { ...tutorial.pids, ...pidsOf(platform.platform.stack, ['postgres']) },
    },
    ...peers.map((peer) => toPeerTarget(platform, peer, { requests: [peer.me] })),
  ];
};

// A target is what the rounds of 2026-11-26 reached on two cores at worst, rounded. One that three runs have met
// by far is raised.
const ME_COMPARISONS = [
  { name: 'the platform against a tutorial', of: 'platform', to: 'tutorial', target: { atMost: 0.5 } },
  {
    name: 'better-auth get-session against the platform',
    of: 'better-auth',
    to: 'platform',
    target: { atLeast: 2.5 },
  },
  {
    name: 'Directus /users/me against the platform',
    of: 'Directus',
    to: 'platform',
    target: { atLeast: 6 },
  },
  {
    name: 'the gateway against a bare http-proxy-middleware in Express',
    of: 'platform',
    to: 'bare proxy',
    process: 'gateway',
    target: { atMost: 1.45 },
    reason:
      'of its profile, limits are 4 %, the log line 3 %, rules of headers and the choice of an instance 4 %, metrics 1 %; no part stands out',
  },
];

/** Measures `GET /customers/auth/me`: the signed-in user, read from Postgres for each request. */
export const measureMe = async (run: BenchRun): Promise<void> => {
  const [platform, proxy, ...peers] = await startMeTargets(run);
  const results = await measureSaturated([platform, proxy, ...peers]);
  reportCosts(run, 'me', results);
  for (const { name, ...comparison } of ME_COMPARISONS)
    run.report.addResult(toRatio(results, { name: `me, processor time: ${name}`, ...comparison }));
};

/** Measures both as they usually arrive: `me` from the gateway, and an introspection from another service. */
export const measureIntrospection = async (run: BenchRun): Promise<void> => {
  const { platform, gatewayUrl, authUrl, ...source } = await run.small();
  const { me, introspection } = introspectionWorkloads(source, INTROSPECTED_SESSIONS);
  const pids = pidsOf(platform.stack, ['auth', 'postgres']);
  const targets = [
    { name: 'me', url: gatewayUrl, pids, ...me },
    { name: 'me without the gateway', url: authUrl, pids, ...me },
    { name: 'introspection', url: authUrl, pids, ...introspection },
  ];
  const results = await measureSaturated(targets, { connections: SERVICE_CONNECTIONS });
  reportCosts(run, 'introspection beside me', results, SERVICE_CONNECTIONS);
  const name = 'introspection, processor time of auth-service against me';
  const sides = { of: 'introspection', to: 'me', process: 'auth-service', target: { atMost: 1 } };
  run.report.addResult(toRatio(results, { name, ...sides }));
};

const addDirectusRatio = ({ report }: BenchRun, work: string, results: Results, atLeast: number): void =>
  report.addResult(
    toRatio(results, {
      name: `${work}, processor time: Directus against the platform`,
      of: 'Directus',
      to: 'platform',
      target: { atLeast },
    }),
  );

/** Measures chains of refreshes, one per connection. */
export const measureRefresh = async (run: BenchRun): Promise<void> => {
  const platform = await run.small();
  const targets = [toTarget(platform, 'auth', refreshWorkload(platform))];
  for (const peer of await run.directus()) {
    const requests = await peer.createSessions(PLAN.connections);
    targets.push(toPeerTarget(platform, peer, { requests, carry: { from: 'directus-body' } }));
  }
  const results = await measureSaturated(targets);
  reportCosts(run, 'refresh', results);
  addDirectusRatio(run, 'refresh', results, 2.4);
};

/** Measures the first ten users and the total, with the same number of users in both databases. */
export const measureUsersList = async (run: BenchRun): Promise<void> => {
  const platform = await run.small();
  const workload = usersListWorkload(platform);
  const results = await measureSaturated([
    toTarget(platform, 'admin', workload),
    ...(await run.directus()).map((peer) => toPeerTarget(platform, peer, { requests: [peer.list] })),
  ]);
  reportCosts(run, `list of ${SMALL.users} users, page 1 with total`, results);
  addDirectusRatio(run, 'users list', results, 4);
};
