import { availableParallelism } from 'node:os';
import type { BenchRun } from '../bench-run.ts';
import { measureSaturated, type Target } from '../interleaved-runs.ts';
import { PLAN } from '../plan.ts';
import { COST_COLUMNS, toCostRows } from '../report/ratio.ts';
import { formatNumber, type Result } from '../report/table.ts';
import { median, ratiosOf } from '../statistics.ts';
import { type Instance, pidsOf } from '../targets/platform.ts';
import { meWorkload } from '../workloads.ts';

/** Of four servers, PostgreSQL, and the client of each measurement, which needs as much as a gateway. */
const MIN_CORES = 8;

const toPids = (gateways: readonly Instance[], services: readonly Instance[]): Target['pids'] =>
  Object.fromEntries([
    ...gateways.map((gateway, index) => [`gateway ${index + 1}`, gateway.pid() ?? 0]),
    ...services.map((service, index) => [`auth-service ${index + 1}`, service.pid() ?? 0]),
  ]);

/** `me` with one gateway and one auth-service, and with two of each, whose gateways share a port. */
export const measureScaleOut = async (run: BenchRun): Promise<void> => {
  const platform = await run.small();
  const { startInstance, stack } = platform.platform;
  const workload = meWorkload(platform, PLAN.connections);
  const auth = await startInstance('auth');
  const services = [auth, await startInstance('auth')];
  const alone = await startInstance('gateway', { authUrl: auth.url });
  const variables = { GATEWAY_REUSE_PORT: 'true', AUTH_SERVICE_URLS: services.map(({ url }) => url).join() };
  const shared = await startInstance('gateway', {}, variables);
  const { port } = new URL(shared.url);
  const gateways = [shared, await startInstance('gateway', {}, { ...variables, GATEWAY_PORT: port })];
  const postgres = pidsOf(stack, ['postgres']);
  try {
    const results = await measureSaturated([
      { name: 'one of each', url: alone.url, ...workload, pids: { ...toPids([alone], [auth]), ...postgres } },
      {
        name: 'two of each',
        url: shared.url,
        ...workload,
        pids: { ...toPids(gateways, services), ...postgres },
      },
    ]);
    const title = `me with one and two gateways and auth-services, ${availableParallelism()} cores`;
    run.report.addTable(title, COST_COLUMNS, toCostRows(results));
    const [one, two] = [results.get('one of each'), results.get('two of each')];
    const rates = `${formatNumber(two?.perSecond ?? 0)}/s against ${formatNumber(one?.perSecond ?? 0)}/s`;
    const result: Pick<Result, 'name' | 'unit' | 'target'> = {
      name: 'me, throughput of two gateways and two auth-services against one of each',
      ...{ unit: '×', target: { atLeast: 1.8 } },
    };
    run.report.addResult(
      availableParallelism() < MIN_CORES
        ? { ...result, missing: `${rates}, but ${MIN_CORES} cores are needed for the comparison` }
        : { ...result, basis: rates, value: median(ratiosOf(two?.rates ?? [], one?.rates ?? [])) },
    );
  } finally {
    for (const instance of [alone, ...gateways, ...services]) await instance.stop();
  }
};
