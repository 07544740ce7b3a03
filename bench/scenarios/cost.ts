import type { BenchRun, SeededPlatform } from '../bench-run.ts';
import { describeFailures, runClosedLoop } from '../load/load.ts';
import { PLAN } from '../plan.ts';
import { canReadProcesses, readProcessorSeconds } from '../process-stats.ts';
import {
  meWorkload,
  refreshWorkload,
  signInRequest,
  usersListWorkload,
  type Workload,
} from '../workloads.ts';

const PROCESSES = ['gateway', 'auth', 'admin', 'postgres', 'redis'] as const;

const createWorkloads = (platform: SeededPlatform): Record<string, Workload> => ({
  me: meWorkload(platform),
  refresh: refreshWorkload(platform),
  'users list, page 1': usersListWorkload(platform),
  'sign-in': { requests: platform.emails.map(signInRequest) },
});

/** The typical requests of signed-in users; docs/scaling.md is based on this mix. */
const MIX: Readonly<Record<string, number>> = {
  me: 0.9,
  refresh: 0.05,
  'users list, page 1': 0.049,
  'sign-in': 0.001,
};
const RATES = [10, 1_000, 100_000];

type Cost = { name: string; microseconds: readonly number[] };

/** The number of cores that each process needs at a request rate of the mix. */
export const coresAt = (
  perSecond: number,
  costs: readonly Cost[],
  mix: Readonly<Record<string, number>>,
): number[] => {
  const processes = costs[0]?.microseconds.map((_, index) => index) ?? [];
  return processes.map((index) =>
    costs.reduce(
      (sum, { name, microseconds }) =>
        sum + (perSecond * (mix[name] ?? 0) * (microseconds[index] ?? 0)) / 1_000_000,
      0,
    ),
  );
};

const CONNECTIONS: Record<string, number> = { 'sign-in': 16 };

type Measured = Cost & { perSecond: number };

/** Processor time of each process, in microseconds per request. */
const measureWorkload = async (
  { gatewayUrl: url, platform }: SeededPlatform,
  name: string,
  workload: Workload,
): Promise<Measured> => {
  const { pids } = platform.stack;
  const connections = CONNECTIONS[name] ?? PLAN.connections;
  const read = () => PROCESSES.map((process) => readProcessorSeconds(pids[process]));
  const before = read();
  const result = await runClosedLoop({ url, connections, duration: PLAN.seconds, ...workload });
  const after = read();
  const failures = describeFailures(result);
  if (failures !== undefined) throw new Error(`${name}: ${failures}`);
  const microseconds = after.map(
    (seconds, index) => ((seconds - (before[index] ?? 0)) / result.requests) * 1e6,
  );
  return { name, microseconds, perSecond: result.perSecond };
};

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const reportCosts = ({ report }: BenchRun, costs: readonly Measured[]): void => {
  report.addTable(
    'Processor time of a request through the gateway, µs',
    ['', ...PROCESSES, 'all', 'requests/s'],
    costs.map(({ name, microseconds, perSecond }) => [name, ...microseconds, total(microseconds), perSecond]),
  );
  const mix = Object.entries(MIX).map(([name, share]) => `${(share * 100).toFixed(1)} % ${name}`);
  report.addTable(
    `Cores needed by request rate, for a mix of ${mix.join(', ')}`,
    ['requests/s', ...PROCESSES, 'all'],
    RATES.map((rate) => {
      const cores = coresAt(rate, costs, MIX);
      return [rate.toLocaleString('en-US'), ...cores, total(cores)];
    }),
  );
};

/** The processor time of a request in each process, on which docs/scaling.md is based. */
export const measureCost = async (run: BenchRun): Promise<void> => {
  if (!canReadProcesses)
    return run.report.addNote('The processor time of each process is only available on Linux');
  const platform = await run.small();
  const costs: Measured[] = [];
  for (const [name, workload] of Object.entries(createWorkloads(platform)))
    costs.push(await measureWorkload(platform, name, workload));
  reportCosts(run, costs);
};
