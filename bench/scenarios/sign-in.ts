import { measureBcryptThroughput } from '../bcrypt-throughput.ts';
import type { BenchRun } from '../bench-run.ts';
import { measureSaturated, type Target } from '../interleaved-runs.ts';
import { describeFailures, type LoadResult, type Request, runClosedLoop, runOpenLoop } from '../load/load.ts';
import { PLAN } from '../plan.ts';
import { formatNumber } from '../report/table.ts';
import { median, ratiosOf } from '../statistics.ts';
import { meWorkload, signInRequest } from '../workloads.ts';

const COST = 12;
/** More than are hashed concurrently, but fewer than the queue holds, so that no sign-in is rejected. */
const SIGN_IN_CONNECTIONS = 16;
const PEER_CONNECTIONS = 8;

const measureRate = async (target: Target, connections: number): Promise<number> => {
  const options = { connections, rounds: 1, seconds: PLAN.hashSeconds, warmSeconds: 1 };
  const results = await measureSaturated([target], options);
  return results.get(target.name)?.perSecond ?? Number.NaN;
};

const measurePeers = async (run: BenchRun): Promise<[string, number][]> => {
  const [betterAuth, directus] = [await run.betterAuth(), await run.directus()];
  const peers = [
    ...betterAuth.map(({ url, signIns: requests }) => ({
      name: 'better-auth (scrypt)',
      url,
      requests,
      pids: {},
    })),
    ...directus.map(({ url, signIns: requests }) => ({
      name: 'Directus (argon2id)',
      url,
      requests,
      pids: {},
    })),
  ];
  const rates: [string, number][] = [];
  for (const peer of peers) rates.push([peer.name, await measureRate(peer, PEER_CONNECTIONS)]);
  return rates;
};

/** Sign-ins through the gateway, alternately with bcrypt comparisons alone. */
export const measureSignIn = async (run: BenchRun): Promise<void> => {
  const { gatewayUrl, emails } = await run.small();
  const gateway = { name: 'gateway', url: gatewayUrl, requests: emails.map(signInRequest), pids: {} };
  const rates: number[] = [];
  const limits: number[] = [];
  for (let round = 0; round < PLAN.hashRounds; round += 1) {
    rates.push(await measureRate(gateway, SIGN_IN_CONNECTIONS));
    limits.push(await measureBcryptThroughput({ cost: COST, seconds: PLAN.hashSeconds }));
  }
  const [rate, limit] = [median(rates), median(limits)];
  const peers = await measurePeers(run);
  const { report } = run;
  report.addTable(
    'sign-in, each with its default hash',
    ['', 'per second'],
    [[`gateway (bcrypt, cost ${COST})`, rate], ['bcrypt comparisons alone', limit], ...peers],
  );
  report.addResult({
    name: 'sign-in against the bcrypt throughput of all cores',
    basis: `${formatNumber(rate)}/s against ${formatNumber(limit)}/s`,
    unit: '×',
    target: { atLeast: 0.93 },
    value: median(ratiosOf(rates, limits)),
  });
};

const ME_PER_SECOND = 100;

const loadMe = async (url: string, requests: readonly Request[], duration: number): Promise<LoadResult> => {
  const stream = { name: 'me', perSecond: ME_PER_SECOND, requests };
  const { me } = await runOpenLoop({ url, connections: 8, duration, streams: [stream] });
  if (!me) throw new Error('The load has no result');
  const failures = describeFailures(me);
  if (failures !== undefined) throw new Error(`me: ${failures}`);
  return me;
};

const loadMeDuringSignIns = async (
  url: string,
  requests: readonly Request[],
  signIns: Request[],
): Promise<LoadResult> => {
  const duration = PLAN.burstSeconds;
  const burst = runClosedLoop({ url, connections: SIGN_IN_CONNECTIONS, duration, requests: signIns });
  const [me, { perSecond }] = await Promise.all([loadMe(url, requests, duration), burst]);
  console.log(`  sign-in burst: ${formatNumber(perSecond)} sign-ins per second`);
  return me;
};

/** The latency of `me` during a burst of sign-ins. */
export const measureSignInBurst = async (run: BenchRun): Promise<void> => {
  const platform = await run.small();
  const { gatewayUrl, emails } = platform;
  const { requests } = meWorkload(platform);
  const signIns = emails.toReversed().map(signInRequest);
  const rounds: { idle: LoadResult; busy: LoadResult }[] = [];
  await loadMe(gatewayUrl, requests, PLAN.warmSeconds);
  for (let round = 0; round < PLAN.burstRounds; round += 1)
    rounds.push({
      idle: await loadMe(gatewayUrl, requests, PLAN.burstIdleSeconds),
      busy: await loadMeDuringSignIns(gatewayUrl, requests, signIns),
    });
  const { report } = run;
  report.addTable(
    `me at ${ME_PER_SECOND} requests per second, during continuous sign-ins of ${SIGN_IN_CONNECTIONS} clients`,
    ['', 'p50 ms', 'p95 ms', 'p99 ms', 'slowest ms'],
    rounds.flatMap(({ idle, busy }) => [
      ['idle', idle.p50, idle.p95, idle.p99, idle.max],
      ['during sign-ins', busy.p50, busy.p95, busy.p99, busy.max],
    ]),
  );
  const idle = median(rounds.map((round) => round.idle.p99));
  const busy = median(rounds.map((round) => round.busy.p99));
  report.addResult({
    name: 'p99 of me during a sign-in burst against idle',
    basis: `${formatNumber(busy)} ms against ${formatNumber(idle)} ms`,
    unit: '×',
    target: { atMost: 1.5 },
    value: busy / idle,
  });
};
