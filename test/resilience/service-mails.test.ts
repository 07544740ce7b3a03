// Kills everything while a service creates mails, each at two instances of admin-service at once: every
// acknowledged mail arrives, under one Message-ID. MAIL_ROUNDS is the number of faults.
import { setTimeout as delay } from 'node:timers/promises';
import { type FakeSmtpServer, startFakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createRecords } from '@platform/shared/testing/records';
import { SERVICE_ENVIRONMENT } from '@platform/shared/testing/service-client';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { watchProcesses } from '@platform/shared/testing/watch-processes';
import { expect } from 'chai';
import { kill, type Target } from './crashes/faults.ts';
import { createPlatform, type Platform, type RestartableService } from './platform.ts';
import { startMailWriters } from './service-mails/mail-writers.ts';

const ROUNDS = Number(process.env['MAIL_ROUNDS'] ?? 6);
const TARGETS: readonly Target[] = ['worker', 'admin', 'redis', 'postgres', 'worker'];
const PAUSE_MILLISECONDS = 1_500;
/** So that mails are being sent when a process is killed. */
const SLOW_MILLISECONDS = 40;
const DELIVERY_SECONDS = 180;
/** MAIL_CONCURRENCY: this many mails are sent at the time of a fault, and may be sent twice. */
const MAILS_IN_FLIGHT = 5;

describe('mails of another service during faults', () => {
  let smtp: FakeSmtpServer;
  let stack: RunningStack;
  let platform: Platform;
  let second: RestartableService;
  before('start a stack and a second instance of admin-service', async () => {
    smtp = await startFakeSmtpServer();
    smtp.slowDown(SLOW_MILLISECONDS);
    stack = await startStack({ ...SERVICE_ENVIRONMENT, SMTP_URL: smtp.url, LOG_LEVEL: 'warn' });
    const { databaseUrls: processUrls, redisUrl } = stack.stack;
    platform = createPlatform({ processUrls, redisUrl }, smtp.url, watchProcesses(), SERVICE_ENVIRONMENT);
    second = await platform.create('admin-service');
    await second.start();
  });
  after('stop them', async () => {
    platform?.killAll();
    await stack?.stop();
    await smtp?.stop();
  });

  const killAndWait = async (target: Target): Promise<void> => {
    const isBack = await kill(target).inject(stack);
    await waitFor(`${target} runs again`, isBack);
  };
  const restartSecond = async (): Promise<void> => {
    second.signal('SIGKILL');
    await second.waitForExit();
    await second.start();
  };
  const FAULTS = [...TARGETS.map((target) => () => killAndWait(target)), restartSecond];

  const bySubject = () => Map.groupBy(smtp.mails(), ({ subject }) => subject);

  it(`arrive once, and at most ${MAILS_IN_FLIGHT} of a fault twice, in ${ROUNDS} rounds`, async function () {
    this.timeout((ROUNDS + 5) * 120_000);
    const { databaseUrl, adminUrl } = stack.stack;
    const records = createRecords(databaseUrl);
    const writers = await startMailWriters(records, () => [adminUrl, second.url]);
    await records.close();
    for (let round = 0; round < ROUNDS; round += 1) {
      await delay(PAUSE_MILLISECONDS);
      await FAULTS[round % FAULTS.length]?.();
    }
    await delay(PAUSE_MILLISECONDS);
    const mails = await writers.stop();
    expect(writers.unexpected).to.deep.equal([]);
    const isSent = async () =>
      (await queryDatabase(databaseUrl, 'select 1 from mail_outbox limit 1')).length === 0;
    await waitFor('the outbox is empty', isSent, DELIVERY_SECONDS);

    const arrived = bySubject();
    const copies = mails.map(({ id }) => (arrived.get(id) ?? []).map(({ messageId }) => messageId));
    expect(mails.filter(({ id }) => !arrived.has(id))).to.deep.equal([]);
    expect(copies.filter((ids) => new Set(ids).size !== 1)).to.deep.equal([]);
    expect([...arrived.keys()].filter((id) => !mails.some((mail) => mail.id === id))).to.deep.equal([]);
    const twice = copies.filter(({ length }) => length > 1).length;
    console.log(`      ${mails.length} mails, ${ROUNDS} faults: 0 lost, ${twice} sent twice`);
    expect(twice).to.be.at.most(ROUNDS * MAILS_IN_FLIGHT);

    const count = smtp.mails().length;
    expect(new Set(await writers.repeat(mails))).to.deep.equal(new Set(['sent']));
    await delay(PAUSE_MILLISECONDS);
    expect(smtp.mails().length).to.equal(count);
  });
});
