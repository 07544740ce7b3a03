// `npm run test:resilience -- crashes`: kills each process of the platform under load, then freezes Redis and Postgres.
// No acknowledged write is lost, every process serves its metrics, and no other process ends.
import { createHttpClient } from '@platform/shared/testing/http-client';
import { type RunningStack, type StackFile, startStack } from '@platform/shared/testing/stack';
import { type Report, runSuite } from '@platform/shared/testing/suite';
import { checkWatch, type StackWatch, watchStack } from '@platform/shared/testing/watch-processes';
import { type Fault, freeze, kill, type Target } from './crashes/faults.ts';
import { createAdminFixture } from './load/admin-actions.ts';
import { createLostWriteFinder } from './load/expected-state.ts';
import {
  checkNothingLost,
  checkRecovery,
  injectUnderLoad,
  type LoadFixture,
  type LoadResult,
} from './load/inject-under-load.ts';
import { createMixedLoad, OPERATION_NAMES } from './load/mixed-load.ts';
import { checkTimeouts, countResults, filterFailed, isTimedOut, isUnexpected } from './load/request-log.ts';

const TARGETS: readonly Target[] = ['gateway', 'auth', 'admin', 'worker', 'postgres', 'redis', 'inbox'];
const FAULTS: readonly Fault[] = [...TARGETS.map(kill), freeze('redis'), freeze('postgres')];
const ALL_OPERATIONS = [...OPERATION_NAMES.auth, ...OPERATION_NAMES.admin];
/** The operations that may fail during a fault of the target. */
const AFFECTED_OPERATIONS: Record<Target, readonly string[]> = {
  gateway: ALL_OPERATIONS,
  auth: OPERATION_NAMES.auth,
  admin: OPERATION_NAMES.admin,
  worker: [],
  postgres: ALL_OPERATIONS,
  redis: ['code mail'],
  inbox: [],
};
const RECOVERY = { goalSeconds: 15, countedFrom: 'the fault' };
const WARM_UP_SECONDS = 10;
/** MAIL_CONCURRENCY: so many mails are in flight during a crash, and may be sent twice. */
const MAILS_IN_FLIGHT = 5;
const ENVIRONMENT = { RATE_LIMIT_SCALE: '10000', LOG_LEVEL: 'warn' };

type CrashFixture = LoadFixture & { stack: RunningStack; watching: StackWatch };
type CrashResult = LoadResult & {
  fault: Fault;
  /** Other processes that were restarted. */
  restartedOthers: string[];
};

const createFixture = async (stack: RunningStack): Promise<CrashFixture> => {
  const { gatewayUrl, databaseUrl, inboxUrl } = stack.stack;
  const client = createHttpClient(gatewayUrl, { keepAlive: true, timeoutSeconds: 10 });
  const adminFixture = await createAdminFixture(databaseUrl, client);
  const load = createMixedLoad(client, adminFixture);
  const { expectedState } = load;
  const { adminToken } = adminFixture;
  const findLostWrites = createLostWriteFinder({ client, expectedState, adminToken });
  return { stack, inboxUrl, watching: watchStack(stack), load, findLostWrites };
};

const findRestartedOthers = ({ target, endsTarget }: Fault, before: StackFile, after: StackFile): string[] =>
  Object.entries(before.pids)
    .filter(([name, pid]) => after.pids[name as keyof StackFile['pids']] !== pid)
    .flatMap(([name]) => (endsTarget && name === target ? [] : [name]));

const injectCrash = async (fault: Fault, fixture: CrashFixture): Promise<CrashResult> => {
  const { stack, watching } = fixture;
  const before = await stack.read();
  const result = await injectUnderLoad(fixture, {
    opsUrls: Object.values(stack.stack.opsUrls),
    inject: async () => {
      if (fault.endsTarget) watching.expectEnd(fault.target);
      const isBack = await fault.inject(stack);
      return { since: Date.now(), isBack };
    },
    afterLoad: async () => {
      if (fault.endsTarget) await watching.expectRunning(fault.target);
    },
  });
  return { ...result, fault, restartedOthers: findRestartedOthers(fault, before, await stack.read()) };
};

const checkResult = (report: Report, result: CrashResult): void => {
  const { fault, requests, mails, restartedOthers } = result;
  const check = (holds: boolean, text: string) => report.check(holds, `${fault.name}: ${text}`);
  const affected = AFFECTED_OPERATIONS[fault.target];
  const unaffected = requests.filter(({ operation }) => !affected.includes(operation));
  checkRecovery(report, fault.name, result, RECOVERY);
  checkTimeouts(report, fault.name, unaffected);
  checkNothingLost(report, fault.name, result);
  check(mails.duplicates <= MAILS_IN_FLIGHT, `${mails.duplicates} duplicate mails`);
  const unexpected = requests.filter(isUnexpected);
  check(
    unexpected.length === 0,
    `${unexpected.length} responses that no outage explains (${countResults(unexpected)})`,
  );
  check(restartedOthers.length === 0, `other processes that ended: ${restartedOthers.join(', ') || 'none'}`);
  const failed = filterFailed(unaffected).filter((entry) => !isTimedOut(entry));
  check(
    failed.length === 0,
    `${failed.length} requests failed that do not need it (${countResults(failed)})`,
  );
};

const COLUMNS = [
  ...['fault', 'recovered after s', 'last failure after s', 'requests', 'failed', 'not sent'],
  ...['writes', 'lost', 'mails', 'lost', 'duplicates', 'slowest s', 'failed requests by result'],
];

const toRow = ({ fault, recoverySeconds, lastFailureSeconds, requests, notSent, ...rest }: CrashResult) => {
  const failed = filterFailed(requests);
  const { acknowledgedWrites, lostWrites, mails } = rest;
  return [
    fault.name,
    recoverySeconds?.toFixed(1) ?? 'never',
    lastFailureSeconds.toFixed(1),
    requests.length,
    failed.length,
    notSent,
    acknowledgedWrites,
    lostWrites.length,
    mails.due,
    mails.lost,
    mails.duplicates,
    mails.slowestSeconds.toFixed(1),
    countResults(failed),
  ];
};

const run = async (report: Report): Promise<void> => {
  const stack = await startStack(ENVIRONMENT);
  try {
    const fixture = await createFixture(stack);
    await fixture.load.warmUp(WARM_UP_SECONDS);
    const results: CrashResult[] = [];
    for (const fault of FAULTS) {
      const result = await injectCrash(fault, fixture);
      checkResult(report, result);
      results.push(result);
    }
    const lost = await fixture.findLostWrites(0);
    const { acknowledgedWrites } = fixture.load.expectedState;
    report.check(lost.length === 0, `at the end: of all ${acknowledgedWrites} writes ${lost.length} lost`);
    checkWatch(report, await fixture.watching.stop());
    report.table('kill -9 and frozen engines under 96 requests a second', COLUMNS, results.map(toRow));
  } finally {
    await stack.stop();
  }
};

await runSuite({
  name: 'crashes',
  timeoutSeconds: 560,
  run,
});
