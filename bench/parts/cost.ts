import type { BenchRun, PlatformMarket } from '../bench-run.ts';
import { applyLoad, faultOf, type Load } from '../load/load.ts';
import { PLAN } from '../plan.ts';
import { canReadProcesses, readProcessorSeconds } from '../process-figures.ts';
import { meRequest, REFRESH_CARRY, refreshRequest } from '../sessions-market.ts';
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

const CONNECTIONS: Record<string, number> = { 'sign-in': 16 };

/** Processor time of each process, in microseconds a request. */
const measureWork = async ({ gatewayUrl, platform }: PlatformMarket, work: Work): Promise<number[]> => {
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
  const costs = after.map((seconds, index) => ((seconds - (before[index] ?? 0)) / result.requests) * 1e6);
  return [...costs, costs.reduce((sum, cost) => sum + cost, 0), result.perSecond];
};

/** What a request costs of each process: what docs/scaling.md counts with. */
export const measureCost = async (run: BenchRun): Promise<void> => {
  if (!canReadProcesses) return run.report.note('Only Linux tells what a request costs of each process');
  const market = await run.small();
  const rows: (string | number)[][] = [];
  for (const work of listWorks(market)) rows.push([work.name, ...(await measureWork(market, work))]);
  const title = 'Processor time of a request through the gateway, µs';
  run.report.table(title, ['', ...PROCESSES, 'all', 'requests/s'], rows);
};
