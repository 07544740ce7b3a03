import { setTimeout as delay } from 'node:timers/promises';
import { queryDatabase } from '@platform/shared/testing/query-database';
import type { BenchRun, SeededPlatform } from '../bench-run.ts';
import { countInstances, LABELS, type LoadCost, MIX, PROCESSES, planCores } from '../cost-model.ts';
import { describeFailures, type LoadResult, type Request, runClosedLoop, runOpenLoop } from '../load/load.ts';
import { PLAN } from '../plan.ts';
import { readProcessorSeconds } from '../processor-time.ts';
import { formatNumber } from '../report/table.ts';
import {
  meWorkload,
  refreshWorkload,
  signInRequest,
  usersListWorkload,
  type Workload,
} from '../workloads.ts';

// Batches of lookups and of commits are full only at saturation: at the rate that an instance really gets, a request costs
// more. Requests are sent at even intervals, those of the same millisecond together.

const RATES = [50, 200, 1_000, 4_000] as const;
const SIGN_INS_PER_SECOND = 2;
/** Above this share of the saturation, queues form. */
const MAX_SHARE = 0.75;
const MIN_REACHED = 0.9;
const SETTLE_SECONDS = 3;
/** Many sessions, because lookups of the same session would share a row. */
const SESSIONS = 1_000;
const CHAINS = 200;
const IDLE_PROCESSES = [...PROCESSES, 'worker'] as const;
const LABELED = PROCESSES.map((process) => LABELS[process]);
const TOTAL_RATES = [10, 1_000, 100_000];

type Operation = Workload & { name: string; rates: readonly number[]; isSaturated: boolean };
/** `rate` is Infinity at saturation. */
type Measured = LoadCost & { perSecond: number; requests: number };
type Reading = { at: number; seconds: number[] };

const createOperations = (platform: SeededPlatform): Operation[] => [
  { name: 'me', rates: RATES, isSaturated: true, ...meWorkload(platform, SESSIONS) },
  { name: 'refresh', rates: RATES, isSaturated: true, ...refreshWorkload(platform, CHAINS) },
  { name: 'users list, page 1', rates: RATES, isSaturated: true, ...usersListWorkload(platform) },
  {
    name: 'sign-in',
    rates: [SIGN_INS_PER_SECOND],
    isSaturated: false,
    requests: platform.emails.map(signInRequest),
  },
];

const read = (
  { platform }: SeededPlatform,
  processes: readonly (typeof IDLE_PROCESSES)[number][],
): Reading => ({
  at: performance.now(),
  seconds: processes.map((process) => readProcessorSeconds(platform.stack.pids[process])),
});

/** Microseconds of processor time between two readings, without `idle` for each second. */
const subtract = (after: Reading, before: Reading, idle: readonly number[]): number[] =>
  after.seconds.map(
    (seconds, index) =>
      (seconds - (before.seconds[index] ?? 0)) * 1e6 - (idle[index] ?? 0) * ((after.at - before.at) / 1_000),
  );

/** Microseconds per second of each process without requests: timers, health checks, polling, autovacuum. */
const measureIdle = async (platform: SeededPlatform): Promise<number[]> => {
  await queryDatabase(platform.databaseUrl, 'checkpoint');
  await delay(SETTLE_SECONDS * 1_000);
  const before = read(platform, IDLE_PROCESSES);
  await delay(PLAN.idleSeconds * 1_000);
  const after = read(platform, IDLE_PROCESSES);
  return subtract(after, before, []).map((time) => time / ((after.at - before.at) / 1_000));
};

/** The next requests of a chain of tokens, for the next load. */
const createLoader = ({ gatewayUrl: url }: SeededPlatform, { name, requests, carry }: Operation) => {
  let current: readonly Request[] = requests;
  return async (rate: number, duration: number): Promise<LoadResult> => {
    const stream = { name, perSecond: rate, requests: current, ...(carry && { carry }) };
    const { connections } = PLAN;
    const load = { url, connections, duration };
    const result = Number.isFinite(rate)
      ? (await runOpenLoop({ ...load, streams: [stream] }))[name]
      : await runClosedLoop({
          ...load,
          requests: current.slice(0, carry && connections),
          ...(carry && { carry }),
        });
    const failures = result ? describeFailures(result) : 'no result';
    if (!result || failures !== undefined) throw new Error(`${name}: ${failures}`);
    // A saturating load uses one chain for each connection.
    if (carry) current = [...result.nextRequests, ...current.slice(result.nextRequests.length)];
    return result;
  };
};

const secondsAt = (rate: number): number => {
  if (PLAN.isQuick) return PLAN.seconds;
  return rate < 1_000 ? 10 : 5;
};

/** One round: saturation, then each rate that is well below it. */
const measureOperation = async (
  platform: SeededPlatform,
  operation: Operation,
  idle: readonly number[],
): Promise<Measured[]> => {
  const { name, rates, isSaturated } = operation;
  const run = createLoader(platform, operation);
  const measure = async (rate: number): Promise<Measured> => {
    const before = read(platform, PROCESSES);
    const { requests, perSecond } = await run(rate, secondsAt(rate));
    if (Number.isFinite(rate) && perSecond < MIN_REACHED * rate)
      throw new Error(`${name}: ${formatNumber(perSecond)} requests per second instead of ${rate}`);
    const microseconds = subtract(read(platform, PROCESSES), before, idle).map((time) => time / requests);
    return { name, rate, requests, perSecond, microseconds };
  };
  await run(isSaturated ? Number.POSITIVE_INFINITY : Math.max(...rates), PLAN.warmSeconds);
  const measured: Measured[] = [];
  for (let round = 0; round < PLAN.loadRounds; round += 1) {
    const saturated = isSaturated ? [await measure(Number.POSITIVE_INFINITY)] : [];
    const limit = MAX_SHARE * (saturated[0]?.perSecond ?? Number.POSITIVE_INFINITY);
    for (const rate of rates.filter((each) => each <= limit)) measured.push(await measure(rate));
    measured.push(...saturated);
  }
  return measured;
};

/** The rounds of each operation and rate together, in the order of the first round. */
const mergeRounds = (rounds: readonly Measured[]): Measured[] => {
  const groups = Map.groupBy(rounds, ({ name, rate }) => `${name} ${rate}`);
  return [...groups.values()].map((group) => {
    const requests = group.reduce((sum, each) => sum + each.requests, 0);
    const mean = (value: (each: Measured) => number) =>
      group.reduce((sum, each) => sum + value(each) * each.requests, 0) / requests;
    const [first] = group as [Measured];
    // A process without part in the request differs from its idle time by chance, in both directions.
    const microseconds = first.microseconds.map((_, index) =>
      Math.max(
        0,
        mean((each) => each.microseconds[index] ?? 0),
      ),
    );
    return { ...first, requests, perSecond: mean(({ perSecond }) => perSecond), microseconds };
  });
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const reportCores = ({ report }: BenchRun, costs: readonly Measured[], idle: readonly number[]): void => {
  const model = { costs: costs.filter(({ rate }) => Number.isFinite(rate)), idle, mix: MIX };
  report.addTable(
    'Cores by request rate',
    [
      'requests/s',
      'gateways',
      'auth-services',
      'admin-services',
      ...LABELED.map((label) => `${label}, cores`),
      'all',
    ],
    TOTAL_RATES.map((rate) => {
      const instances = countInstances(rate, MIX);
      const cores = planCores(rate, model);
      const counts = [instances.gateway, instances.auth, instances.admin].map(String);
      return [rate.toLocaleString('en-US'), ...counts, ...cores, sum(cores)];
    }),
  );
};

/** The processor time of a request at the load of an instance, and that of processes without load. */
export const measureCostByLoad = async (run: BenchRun): Promise<void> => {
  if (process.platform !== 'linux')
    return run.report.addNote('The processor time of each process is only available on Linux');
  const platform = await run.small();
  const idle = await measureIdle(platform);
  const { report } = run;
  report.addTable(
    'Processor time without requests',
    ['', ...IDLE_PROCESSES.map((process) => LABELS[process])],
    [['µs per second', ...idle]],
  );
  const rounds: Measured[] = [];
  for (const operation of createOperations(platform))
    rounds.push(...(await measureOperation(platform, operation, idle)));
  const costs = mergeRounds(rounds);
  report.addTable(
    'Processor time of a request by load',
    ['', 'requests/s', ...LABELED, 'all'],
    costs.map(({ name, rate, perSecond, microseconds }) => [
      ...[
        name,
        Number.isFinite(rate) ? rate.toLocaleString('en-US') : `saturation: ${formatNumber(perSecond)}`,
      ],
      ...[...microseconds, sum(microseconds)],
    ]),
  );
  reportCores(run, costs, idle);
};
