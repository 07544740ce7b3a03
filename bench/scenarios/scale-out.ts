import { availableParallelism } from 'node:os';
import type { BenchRun, SeededPlatform } from '../bench-run.ts';
import { measureThroughput } from '../interleaved-runs.ts';
import { PLAN } from '../plan.ts';
import { meWorkload, usersListWorkload } from '../workloads.ts';

/** Starts a second instance of both services, and a gateway with both instances of each. */
const startSecondInstances = async ({ platform }: SeededPlatform) => {
  const { authUrl, adminUrl } = platform.stack;
  const auth = await platform.startInstance('auth');
  const admin = await platform.startInstance('admin');
  const upstreams = {
    AUTH_SERVICE_URLS: `${authUrl},${auth.url}`,
    ADMIN_SERVICE_URLS: `${adminUrl},${admin.url}`,
  };
  const gateway = await platform.startInstance('gateway', {}, upstreams);
  return {
    url: gateway.url,
    stop: async () => {
      for (const instance of [gateway, auth, admin]) await instance.stop();
    },
  };
};

/** The effect of a second instance of each service behind the gateway. */
export const measureScaleOut = async (run: BenchRun): Promise<void> => {
  const platform = await run.small();
  const second = await startSecondInstances(platform);
  const rows: (string | number)[][] = [];
  const workloads = { me: meWorkload(platform), 'users list, page 1': usersListWorkload(platform) };
  try {
    for (const [name, workload] of Object.entries(workloads)) {
      const targets = [
        { name: 'one', url: platform.gatewayUrl, ...workload },
        { name: 'two', url: second.url, ...workload },
      ];
      const results = await measureThroughput(targets, { rounds: PLAN.fewRounds });
      const [one = Number.NaN, two = Number.NaN] = [...results.values()].map(({ perSecond }) => perSecond);
      rows.push([name, one, two, two / one]);
    }
  } finally {
    await second.stop();
  }
  const cores = availableParallelism();
  const title = `One and two instances of each service behind the gateway, requests/s, on ${cores} cores`;
  run.report.addTable(title, ['', 'one', 'two', 'ratio'], rows);
  if (cores < 6)
    run.report.addNote(
      `${cores} cores are shared by the load generator, the gateway, PostgreSQL and the services: a second instance has no free core here`,
    );
};
