// `npm run test:faults`: every process of the platform is killed under load, in turn, then Redis and Postgres are frozen;
// nothing acknowledged is lost, every process serves its metrics throughout, and none ends but those that are killed.
import { scrapeStack } from '@platform/shared/testing/scrape-metrics';
import { startStack } from '@platform/shared/testing/stack';
import { type Report, runSuite } from '@platform/shared/testing/suite';
import { judgeScrapes } from './check-scrapes.ts';
import { type Fault, freeze, kill, type Victim } from './crashes/fault.ts';
import { type Scene, type Strike, strike, warmUp } from './crashes/inject-crash.ts';
import { createOfficeSteps } from './load/admin-actions.ts';
import { createLedger } from './load/expected-state.ts';
import { createHttpClient } from './load/http-client.ts';
import { createMixedLoad, OPERATION_NAMES } from './load/mixed-load.ts';
import { prepareOffice } from './load/prepare.ts';
import { countEndings, createJournal, isWrong } from './load/request-log.ts';
import { createVisitorSteps } from './load/user-actions.ts';
import { createVerification } from './load/verify.ts';

const VICTIMS: readonly Victim[] = ['gateway', 'auth', 'admin', 'worker', 'postgres', 'redis', 'inbox'];
const FAULTS: readonly Fault[] = [...VICTIMS.map(kill), freeze('redis'), freeze('postgres')];
const ALL = [...OPERATION_NAMES.auth, ...OPERATION_NAMES.office];
/** Whose fault may fail which requests: nobody's the others', and of those that no request needs none at all. */
const AFFECTED: Record<Victim, readonly string[]> = {
  gateway: ALL,
  auth: OPERATION_NAMES.auth,
  admin: OPERATION_NAMES.office,
  worker: [],
  postgres: ALL,
  redis: [],
  inbox: [],
};
const HEALTHY_WITHIN_SECONDS = 15;
/** MAIL_CONCURRENCY: so many mails are on their way when something dies, and may be sent a second time. */
const MAILS_IN_FLIGHT = 5;
const ENVIRONMENT = { RATE_LIMIT_SCALE: '10000', LOG_LEVEL: 'warn' };

const setScene = async (stack: Scene['stack']): Promise<Scene> => {
  const client = createHttpClient(stack.stack.gatewayUrl);
  const { adminToken, projectIds } = await prepareOffice(stack.stack.databaseUrl, client);
  const journal = createJournal(client);
  const ledger = createLedger();
  const visitors = createVisitorSteps({ journal, ledger });
  const office = createOfficeSteps({ journal, ledger, adminToken });
  const load = createMixedLoad({ visitors, office, projectIds });
  const { findLost } = createVerification({ client, ledger, adminToken });
  return { stack, scraping: scrapeStack(stack.stack), load, office, journal, ledger, findLost };
};

const judge = (report: Report, result: Strike): void => {
  const { fault, healthySeconds, samples, acknowledged, lost, mails, restartedOthers } = result;
  const line = (holds: boolean, what: string) => report.check(holds, `${fault.name}: ${what}`);
  const wrong = samples.filter(isWrong);
  const isHealthy = healthySeconds !== undefined && healthySeconds <= HEALTHY_WITHIN_SECONDS;
  line(isHealthy, `every operation succeeds again after ${healthySeconds?.toFixed(1) ?? '?'} s`);
  line(lost.length === 0, `${acknowledged} acknowledged writes, ${lost.length} lost`);
  for (const what of lost.slice(0, 5)) report.log(`    ${what}`);
  line(mails.lost === 0, `${mails.due} mails due, ${mails.lost} lost`);
  line(mails.duplicates <= MAILS_IN_FLIGHT, `${mails.duplicates} mails came twice`);
  line(wrong.length === 0, `${wrong.length} answers that no outage explains (${countEndings(wrong)})`);
  line(restartedOthers.length === 0, `other processes that ended: ${restartedOthers.join(', ') || 'none'}`);
  const spared = samples.filter(
    ({ isSuccess, operation }) => !isSuccess && !AFFECTED[fault.victim].includes(operation),
  );
  line(
    spared.length === 0,
    `${spared.length} requests failed that it has no part in (${countEndings(spared)})`,
  );
};

const toRow = ({ fault, healthySeconds, lastFailureSeconds, samples, notSent, ...rest }: Strike) => {
  const failed = samples.filter(({ isSuccess }) => !isSuccess);
  const { acknowledged, lost, mails } = rest;
  return [
    fault.name,
    healthySeconds?.toFixed(1) ?? 'never',
    lastFailureSeconds.toFixed(1),
    samples.length,
    failed.length,
    notSent,
    acknowledged,
    lost.length,
    mails.due,
    mails.lost,
    mails.duplicates,
    mails.slowestSeconds.toFixed(1),
    countEndings(failed),
  ];
};

const COLUMNS = [
  ...['fault', 'healthy after s', 'last failure after s', 'requests', 'failed', 'not sent'],
  ...['writes', 'lost', 'mails', 'lost', 'twice', 'slowest s', 'failed requests by ending'],
];

const run = async (report: Report): Promise<void> => {
  const stack = await startStack(ENVIRONMENT);
  try {
    const scene = await setScene(stack);
    await warmUp(scene.load);
    const results: Strike[] = [];
    for (const fault of FAULTS) {
      const result = await strike(fault, scene);
      judge(report, result);
      results.push(result);
    }
    const lost = await scene.findLost(0);
    report.check(
      lost.length === 0,
      `at the end: of all ${scene.ledger.acknowledged} writes ${lost.length} lost`,
    );
    judgeScrapes(report, await scene.scraping.stop());
    report.table('kill -9 and frozen engines under 80 requests a second', COLUMNS, results.map(toRow));
  } finally {
    await stack.stop();
  }
};

await runSuite({ name: 'crashes', command: 'npm run test:resilience -- crashes', timeoutSeconds: 560, run });
