// Stops every process under load. No request is interrupted, and every process serves its metrics until it
// exits.
import { type FakeSmtpServer, startFakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { expectNoFailures, watchProcesses } from '@platform/shared/testing/watch-processes';
import { type AdminFixture, createAdminFixture } from './load/admin-actions.ts';
import { countResults, filterFailed } from './load/request-log.ts';
import { createPlatform, type Engines, type Platform, startEngines } from './platform.ts';
import {
  REQUESTS_PER_SECOND,
  RESTART_NAMES,
  restartOneOfTwo,
  restartOnlyInstance,
  type ShutdownResult,
} from './shutdown/rolling-restart.ts';
import { checkSecondSignals, checkUnfinishedRequests } from './shutdown/signals.ts';
import { restartWorker } from './shutdown/worker-restart.ts';

const toRow = ({ exits, requests }: ShutdownResult) => ({
  stops: exits.length,
  'slowest stop s': Math.max(...exits.map(({ seconds }) => seconds)).toFixed(1),
  requests: requests.length,
  failed: countResults(filterFailed(requests)),
});

describe(`shutdown under ${REQUESTS_PER_SECOND} requests a second`, () => {
  const watching = watchProcesses();
  const figures: Record<string, ReturnType<typeof toRow>> = {};
  let engines: Engines;
  let smtp: FakeSmtpServer;
  let platform: Platform;
  let adminFixture: AdminFixture;

  before('start engines, and sign in an administrator', async () => {
    [engines, smtp] = await Promise.all([startEngines(), startFakeSmtpServer()]);
    platform = createPlatform(engines, smtp.url, watching);
    const auth = await platform.create('auth-service');
    await auth.start();
    adminFixture = await createAdminFixture(engines.databaseUrl, createHttpClient(auth.url));
    await auth.stop();
  });
  after('stop everything and print the figures', async () => {
    console.table(figures);
    platform?.killAll();
    await smtp?.stop();
    await engines?.stop();
  });

  // This test runs first, while the outbox is empty. The load fills it, and no worker empties it.
  it('sends every mail once when the worker is stopped while it sends', () =>
    restartWorker({ platform, databaseUrl: engines.databaseUrl, smtp }));

  it('fails no request when one of two instances is restarted', async () => {
    figures['one of two instances'] = toRow(await restartOneOfTwo({ platform, adminFixture }));
  });

  for (const name of RESTART_NAMES)
    it(`cuts off no request when the only instance is restarted: ${name}`, async () => {
      figures[name] = toRow(await restartOnlyInstance({ platform, adminFixture }, name));
    });

  it('ends at once at a second signal', () => checkSecondSignals(platform));

  it('ends within SHUTDOWN_SECONDS with an unfinished request', () => checkUnfinishedRequests(platform));

  it('has served metrics until each exit', async () => expectNoFailures(await watching.stop()));
});
