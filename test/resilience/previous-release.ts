// `npm run test:resilience -- previous-release`: an upgrade. The processes of the previous release serve while the migrations
// of this one run, then both serve side by side on the new schema.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { URL_VARIABLES } from '@platform/migrate/logins';
import { migrateDatabase } from '@platform/migrate/migrate';
import { CUSTOMER, createAuthClient, type Device } from '@platform/shared/testing/auth-client';
import { startProcess } from '@platform/shared/testing/process';
import { createRecords } from '@platform/shared/testing/records';
import { type Report, runSuite } from '@platform/shared/testing/suite';
import { checkWatch, watchProcesses } from '@platform/shared/testing/watch-processes';
import { shareDeletion, shareEmailChange, shareFactors } from './previous-release/account-flows.ts';
import { checkOut, hasCommit, ROOT, readReleasedCommit } from './previous-release/checkout.ts';
import {
  cleanUp,
  detectReuse,
  type FlowFixture,
  sendMails,
  shareBackOffice,
  shareSessions,
} from './previous-release/flows.ts';
import { createRelease, type Engines, type Release, startEngines } from './previous-release/releases.ts';
import { runSystemTests } from './previous-release/system-tests.ts';

const API = ['gateway', 'auth', 'admin'] as const;

/** Runs the previous release's own `npm run migrate` on the empty database. */
const migratePrevious = async (root: string, { databaseUrl, databaseUrls }: Engines): Promise<void> => {
  const environment = {
    PATH: process.env['PATH'],
    DATABASE_URL: databaseUrl,
    [URL_VARIABLES.auth]: databaseUrls.auth,
    [URL_VARIABLES.admin]: databaseUrls.admin,
    [URL_VARIABLES.worker]: databaseUrls.worker,
  };
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: { migrate: string };
  };
  const [, ...script] = scripts.migrate.split(' ');
  const running = startProcess(script, { environment, cwd: root });
  const { code } = await running.waitForExit(60);
  if (code !== 0) throw new Error(`The previous release cannot migrate:\n${running.output()}`);
};

/** Reads and refreshes one session until `work` has ended; returns the requests that failed. */
const refreshDuring = async (
  { addresses }: Release,
  work: () => Promise<unknown>,
): Promise<{ requests: number; failures: string[] }> => {
  const client = createAuthClient(addresses.gatewayUrl, CUSTOMER);
  let device: Device = await client.openDevice(await client.createAccount());
  let isRunning = true;
  const failures: string[] = [];
  let requests = 0;
  const load = async (): Promise<void> => {
    while (isRunning || requests === 0) {
      const response = await client.refresh(device);
      requests += 1;
      if (response.status === 200) device = client.afterRefresh(device, response);
      else failures.push(`${response.status} ${response.text}`);
    }
  };
  const loading = load();
  try {
    await work();
  } finally {
    isRunning = false;
    await loading;
  }
  return { requests, failures };
};

type ReleasePair = [one: Release, other: Release];
type Check = (title: string, run: () => Promise<void>) => Promise<void>;

const createCheck =
  (report: Report): Check =>
  async (title, run) => {
    try {
      await run();
      report.check(true, title);
    } catch (error) {
      report.check(false, `${title}: ${error instanceof Error ? error.message : error}`);
    }
  };

/** With the worker of one release, mails that each of them has queued. */
const checkMails = async (check: Check, sender: Release, [one, other]: ReleasePair, fixture: FlowFixture) => {
  await sender.start('worker');
  for (const queueing of [one, other])
    await check(`mails queued by the ${queueing.name} release, sent by the ${sender.name} worker`, () =>
      sendMails(queueing, fixture),
    );
  await check(`e-mail changed at the ${one.name} release, code sent by the ${sender.name} worker`, () =>
    shareEmailChange(one, other, fixture),
  );
  await check(`nightly cleanup by the ${sender.name} worker`, () => cleanUp(sender, fixture));
  await sender.stop('worker');
};

const checkFlows = async (check: Check, previous: Release, current: Release, fixture: FlowFixture) => {
  const pairs: ReleasePair[] = [
    [previous, current],
    [current, previous],
  ];
  for (const [one, other] of pairs) {
    const title = `${one.name} release, then ${other.name}`;
    await check(`${title}: sign-up, sign-in, refreshes, password change, sign-out`, () =>
      shareSessions(one, other),
    );
    await check(`${title}: superseded and reused refresh tokens`, () => detectReuse(one, other));
    await check(`${title}: second factors`, () => shareFactors(one, other, fixture));
    await check(`${title}: deletion of an account`, () => shareDeletion(one, other));
    await check(`${title}: edit of a project, block of a user, lists`, () =>
      shareBackOffice(one, other, fixture),
    );
  }
  for (const [sender, other] of pairs) await checkMails(check, sender, [other, sender], fixture);
};

/** With the worker of the same release, because the tests compare the texts of mails; `checkMails` covers the other one. */
const checkSystemTests = async (report: Report, previous: Release): Promise<void> => {
  await previous.start('worker');
  const { passed, failed, output } = await runSystemTests(previous);
  if (failed > 0) report.log(output);
  report.check(
    failed === 0 && passed > 0,
    `system tests of the previous release: ${passed} passed, ${failed} failed`,
  );
};

const upgrade = async (report: Report, root: string, engines: Engines): Promise<void> => {
  const watching = watchProcesses();
  const previous = await createRelease('previous', root, engines, watching);
  const current = await createRelease('new', ROOT, engines, watching);
  const records = createRecords(engines.databaseUrl);
  try {
    await migratePrevious(root, engines);
    await previous.start(...API);
    // The statements are prepared on the old schema.
    await shareSessions(previous, previous);
    const { requests, failures } = await refreshDuring(previous, async () => {
      const { names } = await migrateDatabase(engines.databaseUrl, engines.databaseUrls);
      report.log(`Migrations since the previous release: ${names.join(', ') || 'none'}`);
    });
    for (const failure of failures.slice(0, 5)) report.log(`    ${failure}`);
    report.check(
      failures.length === 0,
      `migrations under load: ${failures.length} of ${requests} requests failed`,
    );
    await current.start(...API);
    await checkFlows(createCheck(report), previous, current, { records, inboxUrl: engines.inboxUrl });
    await checkSystemTests(report, previous);
    checkWatch(report, await watching.stop());
  } finally {
    await Promise.all([previous.close(), current.close()]);
    await records.close();
  }
};

const run = async (report: Report): Promise<void> => {
  const commit = await readReleasedCommit();
  if (commit === null) return report.skip('migrate/released.json names no commit: this is the first release');
  if (!hasCommit(commit))
    return report.skip(`the commit ${commit} is not in this clone: git fetch --unshallow`);
  const checkout = await checkOut(commit);
  const engines = await startEngines();
  try {
    await upgrade(report, checkout.root, engines);
  } finally {
    await engines.stop();
    await checkout.remove();
  }
};

await runSuite({
  name: 'previous-release',
  timeoutSeconds: 560,
  run,
});
