import { setTimeout as delay } from 'node:timers/promises';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import { startFailingInstance } from '../failing-instance.ts';
import { createClientOfManyNetworks } from '../load/many-networks.ts';
import { createMixedLoad } from '../load/mixed-load.ts';
import { countResults, filterFailed, isRead, type RequestEntry } from '../load/request-log.ts';
import { startSteadyLoad } from '../load/steady-load.ts';
import { expectNoGrowth, findLowestMemory } from '../process-metrics.ts';
import type { Instance, RoutingFixture } from './fixture.ts';

const FAULT_SECONDS = Number(process.env['ROUTING_FAULT_SECONDS'] ?? 60);
const BOTH_HANG_SECONDS = 15;
const PAUSE_SECONDS = 5;
/** A fresh gateway grows by 13 MB in its first 4,000 requests, until V8 has compiled what is used often. */
const WARM_UP_SECONDS = 100;
/** The duration of the same load before the first fault and after the last one. */
const UNDISTURBED_SECONDS = 10;
/** The share of the mixed load: 30 requests a second. */
const LOAD_FACTOR = 0.5;
/** Code requests in addition to the few of the mixed load, because they need Redis. */
const CODES_PER_SECOND = 10;
/** Requests that show that an instance serves again. It may be ejected for 30 s. */
const SERVED_REQUESTS = 20;

type Repair = () => unknown;
type Result = {
  requests: RequestEntry[];
  failed: RequestEntry[];
  /** Failed requests except for 429, and 503 with Retry-After, which are responses of a healthy platform. */
  broken: RequestEntry[];
  ejections: number;
  /** Failed trial requests to an ejected instance. Each extends the ejection beyond a second. */
  failedTrials: number;
};

type Scenario = {
  name: string;
  /** Resolves after the fault. */
  inject: (fixture: RoutingFixture, signInAtOnce: () => Promise<unknown>) => Promise<Repair>;
  check: (result: Result) => void;
};

const expectNoFailedRead = ({ failed }: Result): void => {
  expect(countResults(failed.filter(isRead)), 'failed reads').to.equal('–');
};

/**
 * Five failures for each ejection and one for each trial. `/readyz` may show the fault before the fifth.
 */
const expectFewFailures = ({ broken, ejections, failedTrials }: Result): void => {
  expect(broken.length, countResults(broken)).to.be.at.most(5 * Math.max(1, ejections) + failedTrials);
};

/**
 * Five failures in a row occur once in 62 requests on average, so an instance that fails half of its requests
 * keeps its share of half of all requests.
 */
const expectShareOfFailures = ({ broken, requests }: Result): void => {
  expect(broken.length / requests.length, 'failed share').to.be.at.most(0.5 * 0.5);
};

const expectNoEjection = ({ ejections }: Result): void => {
  expect(ejections, 'ejections').to.equal(0);
};

const expectBusyOnly = (result: Result): void => {
  expectNoEjection(result);
  expect(countResults(result.broken), 'other failures than 429 and 503 with Retry-After').to.equal('–');
};

const lasting =
  (seconds: number, start: (instance: Instance, other: Instance) => Promise<Repair> | Repair) =>
  async ({ instances: [instance, other] }: RoutingFixture): Promise<Repair> => {
    const repair = await start(instance, other);
    await delay(seconds * 1_000);
    return repair;
  };

const failShare = (failedShare: number) =>
  lasting(FAULT_SECONDS, async ({ service }, other) => {
    await service.stop();
    const failing = await startFailingInstance({
      url: service.url,
      failedShare,
      targetUrl: other.service.url,
    });
    return async () => {
      await failing.stop();
      await service.start();
    };
  });

const freeze = ({ service }: Instance): Repair => {
  service.signal('SIGSTOP');
  return () => service.signal('SIGCONT');
};

const hangBoth = lasting(BOTH_HANG_SECONDS, (instance, other) => {
  const repairs = [freeze(instance), freeze(other)];
  return () => repairs.map((repair) => repair());
});

/** Runs `work` repeatedly, with a pause after each run. */
const repeat = async (work: () => Promise<unknown>, pauseSeconds: number): Promise<Repair> => {
  const until = Date.now() + FAULT_SECONDS * 1_000;
  while (Date.now() < until) {
    await work();
    await delay(pauseSeconds * 1_000);
  }
  return () => undefined;
};

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'one refuses connections',
    inject: lasting(FAULT_SECONDS, async ({ service }) => {
      service.signal('SIGKILL');
      await service.waitForExit();
      return () => service.start();
    }),
    check: expectNoFailedRead,
  },
  { name: 'one hangs', inject: lasting(FAULT_SECONDS, freeze), check: expectFewFailures },
  { name: 'one responds 500 to everything', inject: failShare(1), check: expectFewFailures },
  { name: 'one responds 500 to half', inject: failShare(0.5), check: expectShareOfFailures },
  {
    name: 'one has lost Redis',
    inject: lasting(FAULT_SECONDS, async ({ redis }) => {
      await redis.cut();
      return () => redis.restore();
    }),
    check: expectBusyOnly,
  },
  {
    name: 'one restarts again and again',
    inject: ({ instances: [{ service }] }) =>
      repeat(async () => {
        await service.stop();
        await service.start();
      }, PAUSE_SECONDS),
    check: expectNoFailedRead,
  },
  {
    name: `both hang for ${BOTH_HANG_SECONDS} s`,
    inject: hangBoth,
    check: expectNoEjection,
  },
  {
    name: '200 users sign in at once',
    inject: (_fixture, signInAtOnce) => repeat(signInAtOnce, PAUSE_SECONDS),
    check: expectBusyOnly,
  },
];

const waitUntilAllServe = async (instances: readonly Instance[]): Promise<void> => {
  const count = () => Promise.all(instances.map(({ countRequests }) => countRequests()));
  const before = await count();
  await waitFor('all instances serve', async () =>
    (await count()).every((requests, index) => requests > (before[index] ?? 0) + SERVED_REQUESTS),
  );
};

const isBroken = ({ response: { status, headers } }: RequestEntry): boolean =>
  status !== 429 && !(status === 503 && headers['retry-after'] !== undefined);

/** Sends 40 requests a second to auth-service. */
export const startRoutingLoad = async (fixture: RoutingFixture) => {
  const { instances, gateway, adminFixture, users, listEjections } = fixture;
  const client = createClientOfManyNetworks(gateway.url);
  const { requestLog, start } = createMixedLoad(client, adminFixture);
  const auth = createAuthClient('', CUSTOMER, client.send);
  const sendCode = () =>
    requestLog.record('reset code', 200, auth.resetPasswordEmailCodeSend({ body: { email: uniqueEmail() } }));
  const loads = [
    start(['auth'], LOAD_FACTOR),
    startSteadyLoad([{ perSecond: CODES_PER_SECOND, run: () => sendCode().then(() => true) }]),
  ];
  const signInAtOnce = () =>
    Promise.all(
      users.map(({ email, password }) =>
        requestLog.record(
          'sign-in at once',
          200,
          auth.signIn({ fingerprint: uniqueFingerprint(), body: { email, password } }),
        ),
      ),
    );
  const measureMemory = () => findLowestMemory(gateway, delay(UNDISTURBED_SECONDS * 1_000));
  // malloc keeps the memory of the most requests that ever waited at once, which would count as growth.
  const repair = await hangBoth(fixture);
  await repair();
  await waitUntilAllServe(instances);
  await signInAtOnce();
  await delay(WARM_UP_SECONDS * 1_000);
  const before = await measureMemory();

  const run = async ({ inject }: Scenario): Promise<Result> => {
    const [startedAt, earlier] = [Date.now(), listEjections().length];
    const repair = await inject(fixture, signInAtOnce);
    await repair();
    await waitUntilAllServe(instances);
    const requests = requestLog.entries.filter((entry) => entry.startedAt >= startedAt);
    const failed = filterFailed(requests);
    const ejections = listEjections().slice(earlier);
    return {
      requests,
      failed,
      broken: failed.filter(isBroken),
      ejections: ejections.length,
      failedTrials: ejections.filter((seconds) => seconds > 1).length,
    };
  };
  return {
    run,
    /** Checks that after the load the gateway has as much memory as before the faults. */
    stop: async (): Promise<void> => {
      const after = await measureMemory();
      await Promise.all(loads.map((load) => load.stop()));
      client.close();
      expectNoGrowth(before, after);
    },
  };
};

export const toRow = ({ requests, failed, ejections }: Result) => ({
  requests: requests.length,
  failed: failed.length,
  'failed reads': failed.filter(isRead).length,
  ejections,
  results: countResults(failed),
});
