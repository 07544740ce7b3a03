// `npm run test:resilience -- shutdown`: stops every process under load. No request is interrupted, and every process
// serves its metrics until it exits.
import { startFakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { type Report, runSuite } from '@platform/shared/testing/suite';
import { checkWatch, watchProcesses } from '@platform/shared/testing/watch-processes';
import { type AdminFixture, createAdminFixture } from './load/admin-actions.ts';
import { countResults, filterFailed } from './load/request-log.ts';
import { createPlatform, type Platform, startEngines } from './platform.ts';
import { restartOneOfTwo, restartOnlyInstances, type ShutdownResult } from './shutdown/rolling-restart.ts';
import { checkSecondSignals, checkUnfinishedRequests } from './shutdown/signals.ts';
import { restartWorker } from './shutdown/worker-restart.ts';

const COLUMNS = ['stopped', 'stops', 'slowest stop s', 'requests', 'failed', 'failed requests by result'];

const toRow = ({ scenario, exits, requests }: ShutdownResult) => {
  const failed = filterFailed(requests);
  const slowest = Math.max(...exits.map(({ seconds }) => seconds));
  return [scenario, exits.length, slowest.toFixed(1), requests.length, failed.length, countResults(failed)];
};

/** The administrator signs in at an auth-service that runs only for this. */
const prepareAdminFixture = async (platform: Platform, databaseUrl: string): Promise<AdminFixture> => {
  const auth = await platform.create('auth-service');
  await auth.start();
  const adminFixture = await createAdminFixture(databaseUrl, createHttpClient(auth.url));
  await auth.stop();
  return adminFixture;
};

const run = async (report: Report): Promise<void> => {
  const engines = await startEngines();
  const { databaseUrl } = engines;
  const smtp = await startFakeSmtpServer();
  const watching = watchProcesses();
  const platform = createPlatform(engines, smtp.url, watching);
  try {
    // First, while the outbox is empty: the load fills it, and no worker empties it.
    await restartWorker({ platform, report, databaseUrl, smtp });
    const fixture = {
      platform,
      report,
      adminFixture: await prepareAdminFixture(platform, databaseUrl),
    };
    const results = [await restartOneOfTwo(fixture), ...(await restartOnlyInstances(fixture))];
    await checkSecondSignals(fixture);
    await checkUnfinishedRequests(fixture);
    checkWatch(report, await watching.stop());
    report.table('SIGTERM under 192 requests a second', COLUMNS, results.map(toRow));
  } finally {
    platform.killAll();
    await smtp.stop();
    await engines.stop();
  }
};

await runSuite({
  name: 'shutdown',
  timeoutSeconds: 350,
  run,
});
