import { setTimeout as delay } from 'node:timers/promises';
import { type FakeSmtpServer, startFakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import {
  type AuthClient,
  CUSTOMER,
  createAuthClient,
  type TestAccount,
} from '@platform/shared/testing/auth-client';
import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { describeScrapes, type StackWatch, watchStack } from '@platform/shared/testing/watch-processes';
import { expect } from 'chai';

/** How long the mail server is down; `npm run test:resilience -- smtp-outage` sets a minute. */
const OUTAGE_SECONDS = Number(process.env['MAIL_FAULT_SECONDS'] ?? 6);
/** Another worker takes over the mail of a killed one within 30 s; a mail lost by Redis is relayed again after 30 s. */
const TIMEOUT_SECONDS = 60 + 2 * OUTAGE_SECONDS;

type Burst = { emails: string[]; count: number };
/** A user may change the password so often in an hour. */
const CHANGES_PER_USER = 10;

describe('mail delivery during an outage', function () {
  this.timeout((TIMEOUT_SECONDS + OUTAGE_SECONDS + 30) * 1_000);
  let running: RunningStack;
  let smtp: FakeSmtpServer;
  let watching: StackWatch;
  const measurements: string[] = [];
  before('start a stack that sends its mail to the test', async () => {
    smtp = await startFakeSmtpServer();
    // With one connection, one mail is in flight at a time.
    running = await startStack({ SMTP_URL: smtp.url, MAIL_CONCURRENCY: '1' });
    watching = watchStack(running);
  });
  after('stop the stack and print the measurements', async () => {
    for (const measurement of measurements) console.log(`    ${measurement}`);
    await running?.stop();
    await smtp?.stop();
  });

  const changePasswords = async (client: AuthClient, account: TestAccount): Promise<void> => {
    const device = await client.openDevice(account);
    let currentPassword = account.password;
    for (let index = 0; index < CHANGES_PER_USER; index += 1) {
      const newPassword = `Password no. ${index}`;
      const { status, text } = await client.changePassword(device, { currentPassword, newPassword });
      expect(status, text).to.equal(204);
      currentPassword = newPassword;
    }
  };
  /** Users change their passwords one after the other: each change sends a notice. */
  const createBurst = async (count: number): Promise<Burst & { send: () => Promise<void> }> => {
    const client = createAuthClient(running.stack.gatewayUrl, CUSTOMER);
    const accounts: TestAccount[] = [];
    while (accounts.length < count / CHANGES_PER_USER) accounts.push(await client.createAccount());
    return {
      emails: accounts.map(({ email }) => email),
      count,
      send: async () => {
        for (const account of accounts) await changePasswords(client, account);
      },
    };
  };
  const getArrivedIds = ({ emails }: Burst) =>
    smtp
      .mails()
      .filter(({ to }) => to.some((address) => emails.includes(address)))
      .map(({ messageId }) => messageId);
  const countArrived = (burst: Burst) => new Set(getArrivedIds(burst)).size;
  const countDuplicates = (burst: Burst) => getArrivedIds(burst).length - countArrived(burst);

  const waitForArrivals = (burst: Burst, count = burst.count) =>
    waitFor(
      `${count} notices arrive, not only ${countArrived(burst)}`,
      () => countArrived(burst) >= count,
      TIMEOUT_SECONDS,
    );
  /** Resolves when at most so many mails are unsent; the others will not arrive again. */
  const waitForOutbox = (count: number) =>
    waitFor(
      `${count} mails are left in the outbox`,
      async () =>
        (await queryDatabase(running.stack.databaseUrl, 'select 1 from mail_outbox')).length <= count,
      TIMEOUT_SECONDS,
    );
  const waitForRelay = () =>
    waitFor('every mail is in the queue', async () => {
      const waiting = 'select 1 from mail_outbox where enqueued_at is null';
      return (await queryDatabase(running.stack.databaseUrl, waiting)).length === 0;
    });
  const kill = async (name: 'worker' | 'redis') => {
    const { pids } = await running.read();
    watching.expectEnd(name);
    process.kill(pids[name], 'SIGKILL');
    return {
      waitForRestart: async () => {
        await waitFor(`${name} is back`, async () => (await running.read()).pids[name] !== pids[name]);
        await watching.expectRunning(name);
      },
    };
  };
  const stopwatch = () => {
    const started = performance.now();
    return () => `${((performance.now() - started) / 1_000).toFixed(1)} s`;
  };
  const report = (fault: string, burst: Burst, recovery: string) =>
    measurements.push(
      `${fault}: ${burst.count} notices, ${countArrived(burst)} arrived, ${countDuplicates(burst)} of them twice, ${recovery}`,
    );

  let killed: Awaited<ReturnType<typeof createBurst>>;
  let sinceKill: () => string;
  let recovery: string;

  it('kill -9 of the worker during a send: the next worker sends the other mails at once', async () => {
    killed = await createBurst(50);
    smtp.slowDown(40);
    const sending = killed.send();
    await waitForArrivals(killed, 10);
    const { waitForRestart } = await kill('worker');
    sinceKill = stopwatch();
    expect(countArrived(killed)).to.be.below(50);
    await sending;
    await waitForRestart();
    await waitForArrivals(killed, 49);
    recovery = `all but the one in flight ${sinceKill()} after the kill`;
    // No mail of this outage may be in flight during the next one.
    await waitForOutbox(1);
    smtp.slowDown(0);
  });

  it(`mail server down for ${OUTAGE_SECONDS} s: every mail arrives once afterwards`, async () => {
    const burst = await createBurst(20);
    await smtp.goDown();
    await burst.send();
    await waitForRelay();
    await delay(OUTAGE_SECONDS * 1_000);
    expect(countArrived(burst)).to.equal(0);
    await smtp.comeBack();
    const sinceBack = stopwatch();
    await waitForArrivals(burst);
    report(`SMTP down for ${OUTAGE_SECONDS} s`, burst, `all ${sinceBack()} after the restart`);
    expect(getArrivedIds(burst).length).to.equal(20);
  });

  it('kill -9 of the worker during a send: the mail in flight arrives, and only it may arrive twice', async () => {
    await waitForArrivals(killed);
    recovery += `, all ${sinceKill()} after it`;
    await waitForOutbox(0);
    report('Worker killed -9', killed, recovery);
    expect(countDuplicates(killed)).to.be.at.most(1);
  });

  it('Redis killed and restarted empty: every mail arrives once', async () => {
    const burst = await createBurst(20);
    await smtp.goDown();
    await burst.send();
    await waitForRelay();
    const { waitForRestart } = await kill('redis');
    const sinceKill = stopwatch();
    await waitForRestart();
    await smtp.comeBack();
    if (OUTAGE_SECONDS < 60) {
      // The worker relays again after 30 s; the test does not wait for it.
      const age = "update mail_outbox set enqueued_at = enqueued_at - interval '30 seconds'";
      await queryDatabase(running.stack.databaseUrl, age);
    }
    await waitForArrivals(burst);
    report('Redis killed and emptied', burst, `all ${sinceKill()} after the kill`);
    await waitForOutbox(0);
    expect(getArrivedIds(burst).length).to.equal(20);
  });

  it('every process serves its metrics, and only the killed ones end', async () => {
    const result = await watching.stop();
    measurements.push(`Metrics scraped each second: ${describeScrapes(result)}`);
    expect(result.failures).to.deep.equal([]);
    expect(Object.keys(result.counts)).to.have.members(['gateway', 'auth', 'admin', 'worker']);
  });
});
