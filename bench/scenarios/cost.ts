import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { BenchRun, SeededPlatform } from '../bench-run.ts';
import { describeFailures, runClosedLoop } from '../load/load.ts';
import { PLAN } from '../plan.ts';
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

type Stat = { parent: number; seconds: number };

/** The command name, in brackets, may contain any character; only numbers follow it. */
export const parseStat = (stat: string, perSecond: number): Stat => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / perSecond };
};

const readStat = (pid: string, ticksPerSecond: number): Stat | undefined => {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'), ticksPerSecond);
  } catch {
    return undefined; // the process has exited
  }
};

/** Processor time of a process and its children, such as PostgreSQL backends, in seconds. */
const readProcessorSeconds = (pid: number, ticksPerSecond: number): number => {
  let seconds = readStat(String(pid), ticksPerSecond)?.seconds ?? 0;
  for (const other of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = readStat(other, ticksPerSecond);
    if (stat?.parent === pid) seconds += stat.seconds;
  }
  return seconds;
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
  const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  const read = () => PROCESSES.map((process) => readProcessorSeconds(pids[process], ticksPerSecond));
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
  if (process.platform !== 'linux')
    return run.report.addNote('The processor time of each process is only available on Linux');
  const platform = await run.small();
  const costs: Measured[] = [];
  for (const [name, workload] of Object.entries(createWorkloads(platform)))
    costs.push(await measureWorkload(platform, name, workload));
  reportCosts(run, costs);
};
