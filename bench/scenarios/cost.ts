import type { BenchRun, PlatformMarket } from '../bench-run.ts';
import { applyLoad, faultOf, type Load } from '../load/load.ts';
import { PLAN } from '../plan.ts';
import { canReadProcesses, readProcessorSeconds } from '../process-stats.ts';
import { meRequest, REFRESH_CARRY, refreshRequest } from '../seed-sessions.ts';
import { signInRequest } from './sign-in.ts';

const PROCESSES = ['gateway', 'auth', 'admin', 'postgres', 'redis'] as const;

type Work = { name: string } & Pick<Load, 'requests' | 'carry'>;

const listWorks = (market: PlatformMarket): Work[] => {
  const { takeSessions, platform, adminHeaders: headers, emails } = market;
  const { secrets } = platform;
  const path = '/api/v1/users?page=1&perPage=10';
  return [
    { name: 'me', requests: takeSessions(1).map((session) => meRequest(session, secrets)) },
    {
      name: 'refresh',
      requests: takeSessions(PLAN.connections).map((session) => refreshRequest(session, secrets)),
      carry: REFRESH_CARRY,
    },
    { name: 'users list, page 1', requests: [{ method: 'GET', path, headers }] },
    { name: 'sign-in', requests: emails.map(signInRequest) },
  ];
};

/** What people who are signed in ask for, for the most part; docs/scaling.md counts with it. */
const MIX: Readonly<Record<string, number>> = {
  me: 0.9,
  refresh: 0.05,
  'users list, page 1': 0.049,
  'sign-in': 0.001,
};
const RATES = [10, 1_000, 100_000];

type Cost = { name: string; microseconds: readonly number[] };

/** How many cores each process takes for so many requests a second of the mix. */
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

/** Processor time of each process, in microseconds a request. */
const measureWork = async ({ gatewayUrl, platform }: PlatformMarket, work: Work): Promise<Measured> => {
  const { name, requests, carry } = work;
  const { pids } = platform.stack;
  const connections = CONNECTIONS[name] ?? PLAN.connections;
  const load = { url: gatewayUrl, connections, duration: PLAN.seconds, requests };
  const read = () => PROCESSES.map((process) => readProcessorSeconds(pids[process]));
  const before = read();
  const result = await applyLoad(carry ? { ...load, carry } : load);
  const after = read();
  const fault = faultOf(result);
  if (fault !== undefined) throw new Error(`${name}: ${fault}`);
  const microseconds = after.map(
    (seconds, index) => ((seconds - (before[index] ?? 0)) / result.requests) * 1e6,
  );
  return { name, microseconds, perSecond: result.perSecond };
};

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const showCosts = ({ report }: BenchRun, costs: readonly Measured[]): void => {
  report.table(
    'Processor time of a request through the gateway, µs',
    ['', ...PROCESSES, 'all', 'requests/s'],
    costs.map(({ name, microseconds, perSecond }) => [name, ...microseconds, total(microseconds), perSecond]),
  );
  const mix = Object.entries(MIX).map(([name, share]) => `${(share * 100).toFixed(1)} % ${name}`);
  report.table(
    `Cores at so many requests a second, of these ${mix.join(', ')}`,
    ['requests/s', ...PROCESSES, 'all'],
    RATES.map((rate) => {
      const cores = coresAt(rate, costs, MIX);
      return [rate.toLocaleString('en-US'), ...cores, total(cores)];
    }),
  );
};

/** What a request costs of each process: what docs/scaling.md counts with. */
export const measureCost = async (run: BenchRun): Promise<void> => {
  if (!canReadProcesses) return run.report.note('Only Linux tells what a request costs of each process');
  const market = await run.small();
  const costs: Measured[] = [];
  for (const work of listWorks(market)) costs.push(await measureWork(market, work));
  showCosts(run, costs);
};
