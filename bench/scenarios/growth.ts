import type { BenchRun, SeededServers } from '../bench-run.ts';
import { measureThroughput } from '../interleaved-runs.ts';
import { LARGE, PLAN, SMALL, sessionCount } from '../plan.ts';
import { meWorkload, refreshWorkload, type Workload } from '../workloads.ts';
import { RATE_COLUMNS, toRateRows } from './throughput.ts';

/** Sessions from all over the table, so that the requests do not read the same few rows. */
const SESSIONS = 2_000;

const count = (number: number): string => number.toLocaleString('en-US');

/** `me` and refresh with a hundred times as many users and token records. */
export const measureGrowth = async (run: BenchRun): Promise<void> => {
  const servers = [await run.small(), await run.large()];
  const measure = (name: string, create: (source: SeededServers) => Workload) =>
    measureThroughput(
      servers.map((source) => ({
        ...{ name: `${name} at ${count(source.size.users)} users`, url: source.gatewayUrl },
        ...create(source),
      })),
      { rounds: PLAN.fewRounds },
    );
  const me = await measure('me', (source) => meWorkload(source, SESSIONS));
  const refresh = await measure('refresh', (source) => refreshWorkload(source));
  const title = `${SESSIONS} sessions, of ${count(sessionCount(SMALL))} and of ${count(sessionCount(LARGE))} token records`;
  run.report.addTable(title, RATE_COLUMNS, [...toRateRows(me), ...toRateRows(refresh)]);
};
