// `npm run test:resilience -- previous-release`: an upgrade. The processes of the previous release serve while the migrations
// of this one run, then both serve side by side on the new schema.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { URL_VARIABLES } from '@platform/shared/db/database-logins';
import { migrateDatabase } from '@platform/shared/db/migrate';
import { CUSTOMER, createAuthClient, type Device } from '@platform/shared/testing/auth-client';
import { codeIn, createInboxClient } from '@platform/shared/testing/inbox';
import { startProcess } from '@platform/shared/testing/process';
import { createRecords } from '@platform/shared/testing/records';
import { type Report, runSuite } from '@platform/shared/testing/suite';
import { checkWatch, watchProcesses } from '@platform/shared/testing/watch-processes';
import {
  checkOutPreviousRelease,
  hasPreviousRelease,
  PREVIOUS_RELEASE,
  ROOT,
} from './previous-release/checkout.ts';
import {
  changeEmailAtCurrent,
  deleteAtCurrent,
  refuseWithoutFactor,
} from './previous-release/factor-flows.ts';
import {
  cleanUp,
  type FlowFixture,
  sendMails,
  shareAccounts,
  shareBackOffice,
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

const checkMails = async (check: Check, sender: Release, others: Release[], fixture: FlowFixture) => {
  await sender.start('worker');
  for (const queueing of others)
    await check(`mails queued by the ${queueing.name} release, sent by the ${sender.name} worker`, () =>
      sendMails(queueing, fixture),
    );
  await check(`nightly cleanup by the ${sender.name} worker`, () => cleanUp(sender, fixture));
  await sender.stop('worker');
};

const checkFlows = async (check: Check, previous: Release, current: Release, fixture: FlowFixture) => {
  for (const [one, other] of [
    [previous, current],
    [current, previous],
  ] as const) {
    const title = `${one.name} release, then ${other.name}`;
    await check(`${title}: accounts are shared, tokens of the other release rejected`, () =>
      shareAccounts(one, other),
    );
    await check(`${title}: edit of a project, block of a user, lists`, () =>
      shareBackOffice(one, other, fixture),
    );
  }
  // The worker is upgraded first: the previous one cannot read the mails that this release encrypts in the queue.
  await checkMails(check, previous, [previous], fixture);
  await checkMails(check, current, [previous, current], fixture);
};

/** Last: the system tests of the previous release know no users without an e-mail. */
const checkFactors = async (
  check: Check,
  previous: Release,
  current: Release,
  { records, inboxUrl }: FlowFixture,
) => {
  const inbox = createInboxClient(inboxUrl);
  const readCode = (address: string) => inbox.untilMail(address, '').then(codeIn);
  await check('a second factor of the new release: refused by the previous one', () =>
    refuseWithoutFactor(previous, current, records),
  );
  await Promise.all([previous.stop('worker'), current.start('worker')]);
  await check('an e-mail that the new release has changed signs in at the previous one', () =>
    changeEmailAtCurrent(previous, current, readCode),
  );
  await check('an account that the new release has deleted: unknown to the previous one', () =>
    deleteAtCurrent(previous, current),
  );
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
    await shareAccounts(previous, previous);
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
    const fixture = { records, inboxUrl: engines.inboxUrl };
    await checkFlows(createCheck(report), previous, current, fixture);
    await checkSystemTests(report, previous);
    await checkFactors(createCheck(report), previous, current, fixture);
    checkWatch(report, await watching.stop());
  } finally {
    await Promise.all([previous.close(), current.close()]);
    await records.close();
  }
};

const run = async (report: Report): Promise<void> => {
  if (!hasPreviousRelease()) {
    report.skip(`the commit ${PREVIOUS_RELEASE} is not in this clone: git fetch --unshallow`);
    return;
  }
  const checkout = await checkOutPreviousRelease();
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
  command: 'npm run test:resilience -- previous-release',
  timeoutSeconds: 560,
  run,
});
