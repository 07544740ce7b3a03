// Kills each process of the platform under load, then freezes Redis and Postgres: no acknowledged write is
// lost, every process serves its metrics, and no other process ends.
import { createHttpClient } from '@platform/shared/testing/http-client';
import { type RunningStack, type StackFile, startStack } from '@platform/shared/testing/stack';
import { expectNoFailures, type StackWatch, watchStack } from '@platform/shared/testing/watch-processes';
import { expect } from 'chai';
import { type Fault, freeze, kill, type Target } from './crashes/faults.ts';
import { createAdminFixture } from './load/admin-actions.ts';
import { createLostWriteFinder } from './load/expected-state.ts';
import {
  expectNothingLost,
  expectRecovered,
  injectUnderLoad,
  type LoadFixture,
  type LoadResult,
} from './load/inject-under-load.ts';
import { createMixedLoad, OPERATION_NAMES } from './load/mixed-load.ts';
import { countResults, expectNone, filterFailed, filterRefused, isUnexpected } from './load/request-log.ts';

const TARGETS: readonly Target[] = ['gateway', 'auth', 'admin', 'worker', 'postgres', 'redis', 'inbox'];
const FAULTS: readonly Fault[] = [...TARGETS.map(kill), freeze('redis'), freeze('postgres')];
const ALL_OPERATIONS = [...OPERATION_NAMES.auth, ...OPERATION_NAMES.admin];
/** The operations that may fail during a fault of this process. */
const AFFECTED_OPERATIONS: Record<Target, readonly string[]> = {
  gateway: ALL_OPERATIONS,
  auth: OPERATION_NAMES.auth,
  admin: OPERATION_NAMES.admin,
  worker: [],
  postgres: ALL_OPERATIONS,
  redis: ['code mail'],
  inbox: [],
};
const WARM_UP_SECONDS = 10;
/** MAIL_CONCURRENCY: this many mails are in flight during a crash, and may be sent twice. */
const MAILS_IN_FLIGHT = 5;
const ENVIRONMENT = { RATE_LIMIT_SCALE: '10000', LOG_LEVEL: 'warn' };

const findRestartedOthers = ({ target, endsTarget }: Fault, before: StackFile, after: StackFile): string[] =>
  Object.entries(before.pids)
    .filter(([name, pid]) => after.pids[name as keyof StackFile['pids']] !== pid)
    .flatMap(([name]) => (endsTarget && name === target ? [] : [name]));

const toRow = ({ recoverySeconds, lastFailureSeconds, requests, notSent, mails, ...rest }: LoadResult) => ({
  'recovered after s': recoverySeconds?.toFixed(1),
  'last failure after s': lastFailureSeconds.toFixed(1),
  requests: requests.length,
  failed: countResults(filterFailed(requests)),
  'not sent': notSent,
  writes: rest.acknowledgedWrites,
  'mails due': mails.due,
  'sent twice': mails.duplicates,
  'slowest mail s': mails.slowestSeconds.toFixed(1),
});

describe('crash under 96 requests a second', () => {
  let stack: RunningStack;
  let fixture: LoadFixture;
  let watching: StackWatch;
  const figures: Record<string, ReturnType<typeof toRow>> = {};

  before('start a stack and its load', async () => {
    stack = await startStack(ENVIRONMENT);
    const { gatewayUrl, databaseUrl, inboxUrl } = stack.stack;
    const client = createHttpClient(gatewayUrl, { keepAlive: true, timeoutSeconds: 10 });
    const adminFixture = await createAdminFixture(databaseUrl, client);
    const load = createMixedLoad(client, adminFixture);
    const { expectedState } = load;
    const { adminToken } = adminFixture;
    fixture = {
      inboxUrl,
      load,
      findLostWrites: createLostWriteFinder({ client, expectedState, adminToken }),
    };
    watching = watchStack(stack);
    await load.warmUp(WARM_UP_SECONDS);
  });
  after('stop the stack and print the figures', async () => {
    console.table(figures);
    await stack?.stop();
  });

  const inject = ({ target, endsTarget, inject }: Fault): Promise<LoadResult> =>
    injectUnderLoad(fixture, {
      opsUrls: Object.values(stack.stack.opsUrls),
      inject: async () => {
        if (endsTarget) watching.expectEnd(target);
        const isBack = await inject(stack);
        return { since: Date.now(), isBack };
      },
      afterLoad: async () => {
        if (endsTarget) await watching.expectRunning(target);
      },
    });

  for (const fault of FAULTS)
    it(`${fault.name}: loses nothing, and affects only the operations that need it`, async () => {
      const before = await stack.read();
      const result = await inject(fault);
      figures[fault.name] = toRow(result);
      expectRecovered(result);
      expectNothingLost(result);
      expect(result.mails.duplicates, 'mails sent twice').to.be.at.most(MAILS_IN_FLIGHT);
      expectNone(result.requests.filter(isUnexpected), 'responses that no outage explains');
      const affected = AFFECTED_OPERATIONS[fault.target];
      const unaffected = result.requests.filter(({ operation }) => !affected.includes(operation));
      expectNone(filterRefused(unaffected), 'requests failed that do not need it');
      expect(findRestartedOthers(fault, before, await stack.read()), 'others that ended').to.deep.equal([]);
    });

  it('has lost none of all writes at the end, and every process has served its metrics', async () => {
    expect(await fixture.findLostWrites(0)).to.deep.equal([]);
    expectNoFailures(await watching.stop());
  });
});
