import { setTimeout as delay } from 'node:timers/promises';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { poll } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import { createMixedLoad } from '../load/mixed-load.ts';
import { countResults, filterFailed, type RequestEntry } from '../load/request-log.ts';
import { startSteadyLoad } from '../load/steady-load.ts';
import { expectNoGrowth, findLowestMemory } from '../process-metrics.ts';
import type { Instance, RoutingFixture } from './fixture.ts';

const FAULT_SECONDS = Number(process.env['ROUTING_FAULT_SECONDS'] ?? 60);
const WARM_UP_SECONDS = 20;
/** The same load before the first fault and after the last one. */
const UNDISTURBED_SECONDS = 10;
/** Until the gateway has noticed the fault. */
const UNNOTICED_MILLISECONDS = 2_000;
/** Besides those of the mixed load, which has few: a tenth of all requests needs Redis. */
const CODES_PER_SECOND = 10;
/** The longest ejection, and the time of the request that ends it. */
const RECOVERY_SECONDS = 45;

type Fault = {
  name: string;
  maxFailedShare: number;
  inject: (instance: Instance) => unknown;
  repair: (instance: Instance) => unknown;
};

export const FAULTS: readonly Fault[] = [
  {
    name: 'database connections refused',
    maxFailedShare: 0.02,
    inject: ({ database }) => database.cut(),
    repair: ({ database }) => database.restore(),
  },
  {
    name: 'database silent',
    maxFailedShare: 0.02,
    inject: ({ database }) => database.freeze(),
    repair: ({ database }) => database.restore(),
  },
  {
    name: 'frozen',
    maxFailedShare: 0.02,
    inject: ({ service }) => service.signal('SIGSTOP'),
    repair: ({ service }) => service.signal('SIGCONT'),
  },
  {
    name: 'slow by 2 s',
    maxFailedShare: 0.02,
    inject: ({ front }) => front.setMode('slow'),
    repair: ({ front }) => front.setMode('pass'),
  },
  {
    name: 'responds 500',
    maxFailedShare: 0.02,
    inject: ({ front }) => front.setMode('failing'),
    repair: ({ front }) => front.setMode('pass'),
  },
  // The instance succeeds with other requests, and is the fastest to respond.
  {
    name: 'responds 500 to sign-ins',
    maxFailedShare: 0.03,
    inject: ({ front }) => front.setMode('failing', (path) => path.endsWith('/sign-in')),
    repair: ({ front }) => front.setMode('pass'),
  },
  {
    name: 'without Redis',
    maxFailedShare: 0.03,
    inject: ({ redis }) => redis.cut(),
    repair: ({ redis }) => redis.restore(),
  },
  {
    name: 'responds 500 to half of the requests',
    maxFailedShare: 0.03,
    inject: ({ front }) => front.setMode('failing', () => Math.random() < 0.5),
    repair: ({ front }) => front.setMode('pass'),
  },
];

const waitUntilAllServe = async (instances: readonly Instance[]): Promise<number | undefined> => {
  const started = performance.now();
  const before = instances.map(({ front }) => front.successes());
  const isServing = ({ front }: Instance, index: number) => front.successes() > (before[index] ?? 0) + 20;
  const served = await poll(async () => instances.every(isServing), { timeoutSeconds: RECOVERY_SECONDS });
  return served ? (performance.now() - started) / 1_000 : undefined;
};

const countOperations = (entries: readonly RequestEntry[]): string =>
  Object.entries(Object.groupBy(entries, ({ operation }) => operation))
    .map(([operation, sent = []]) => ({ operation, sent, failed: filterFailed(sent) }))
    .filter(({ failed }) => failed.length > 0)
    .map(({ operation, sent, failed }) => `${failed.length} of ${sent.length} × ${operation}`)
    .join(', ');

/** 106 requests a second. */
export const startRoutingLoad = async ({ instances, gateway, adminFixture }: RoutingFixture) => {
  const client = createHttpClient(gateway.url, { keepAlive: true, maxConnections: 256 });
  const { requestLog, start } = createMixedLoad(client, adminFixture);
  const auth = createAuthClient('', CUSTOMER, client.send);
  const sendCode = () => requestLog.record('reset code', 200, auth.sendResetCode({ email: uniqueEmail() }));
  const loads = [
    start(),
    startSteadyLoad([{ perSecond: CODES_PER_SECOND, run: () => sendCode().then(() => true) }]),
  ];
  const measureMemory = () => findLowestMemory(gateway.pid(), delay(UNDISTURBED_SECONDS * 1_000));
  await delay(WARM_UP_SECONDS * 1_000);
  const before = await measureMemory();

  /** Few requests fail while one instance does, and both serve after the repair. */
  const checkFault = async ({ maxFailedShare, inject, repair }: Fault): Promise<void> => {
    const [failing] = instances;
    const startedAt = Date.now();
    await inject(failing);
    await delay(FAULT_SECONDS * 1_000);
    const endedAt = Date.now();
    await repair(failing);
    const recoverySeconds = await waitUntilAllServe(instances);
    const requests = requestLog.entries.filter(
      (entry) => entry.startedAt >= startedAt + UNNOTICED_MILLISECONDS && entry.startedAt < endedAt,
    );
    const failed = filterFailed(requests);
    console.log(
      `      ${failed.length} of ${requests.length} requests failed: ${countResults(failed)} ` +
        `(${countOperations(requests)}); both serve ${recoverySeconds?.toFixed(1)} s after the repair`,
    );
    expect(failed.length / requests.length, 'failed share').to.be.at.most(maxFailedShare);
    expect(recoverySeconds, 'an instance does not serve again').not.to.equal(undefined);
  };
  return {
    checkFault,
    /** After the load, the gateway has as much memory as before the faults. */
    stop: async (): Promise<void> => {
      const after = await measureMemory();
      await Promise.all(loads.map((load) => load.stop()));
      client.close();
      expectNoGrowth(before, after);
    },
  };
};
