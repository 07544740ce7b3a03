import { setTimeout as delay } from 'node:timers/promises';
import { type SmtpStandIn, startSmtpStandIn } from '@platform/dev/testing/fake-smtp-server';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { describeScrapes, type Scraping, scrapeStack } from '@platform/shared/testing/scrape-metrics';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';

/** How long the mail server is away; `npm run test:mail-faults` takes a minute. */
const FAULT_SECONDS = Number(process.env['MAIL_FAULT_SECONDS'] ?? 6);
/** A dead worker's mail is taken over within half a minute, one lost by Redis is relayed again as fast. */
const PATIENCE_SECONDS = 60 + 2 * FAULT_SECONDS;

type Burst = { email: string; count: number };

describe('When a part fails on the way of a mail', function () {
  this.timeout((PATIENCE_SECONDS + FAULT_SECONDS + 30) * 1_000);
  let running: RunningStack;
  let smtp: SmtpStandIn;
  let scraping: Scraping;
  const figures: string[] = [];
  before('start a stack that sends its mail to the test', async () => {
    smtp = await startSmtpStandIn();
    // With one connection, one mail is in flight at a time.
    running = await startStack({ SMTP_URL: smtp.url, MAIL_CONCURRENCY: '1' });
    scraping = scrapeStack(running.stack);
  });
  after('stop it, and tell how it went', async () => {
    // biome-ignore lint/suspicious/noConsole: figures are what this test is asked for
    for (const figure of figures) console.log(`    ${figure}`);
    await running?.stop();
    await smtp?.stop();
  });

  /** One user changes the password again and again: each change leaves a notice of its own. */
  const createBurst = async (): Promise<{ email: string; send: (count: number) => Promise<Burst> }> => {
    const client = createAuthClient(running.stack.gatewayUrl, CUSTOMER);
    const account = await client.createAccount();
    const device = await client.openDevice(account);
    let currentPassword = account.password;
    const change = async (index: number) => {
      const newPassword = `Password no. ${index}`;
      const { status, text } = await client.changePassword(device, { currentPassword, newPassword });
      expect(status, text).to.equal(204);
      currentPassword = newPassword;
    };
    return {
      email: account.email,
      send: async (count) => {
        for (let index = 0; index < count; index += 1) await change(index);
        return { email: account.email, count };
      },
    };
  };
  const arrivedIds = (email: string) =>
    smtp
      .mails()
      .filter(({ to }) => to.includes(email))
      .map(({ messageId }) => messageId);
  const countArrived = (email: string) => new Set(arrivedIds(email)).size;
  const countDoubled = (email: string) => arrivedIds(email).length - countArrived(email);

  const untilArrived = ({ email }: Pick<Burst, 'email'>, count: number) =>
    waitFor(
      `${count} notices arrive, not only ${countArrived(email)}`,
      () => countArrived(email) >= count,
      PATIENCE_SECONDS,
    );
  /** So many are left to be sent; the others will not arrive again. */
  const untilLeft = (count: number) =>
    waitFor(
      `${count} are left in the outbox`,
      async () =>
        (await queryDatabase(running.stack.databaseUrl, 'select 1 from mail_outbox')).length <= count,
      PATIENCE_SECONDS,
    );
  const untilRelayed = () =>
    waitFor('all are in the queue', async () => {
      const waiting = 'select 1 from mail_outbox where enqueued_at is null';
      return (await queryDatabase(running.stack.databaseUrl, waiting)).length === 0;
    });
  const kill = async (name: 'worker' | 'redis') => {
    const { pids, opsUrls } = await running.read();
    const opsUrl = name === 'worker' ? opsUrls.worker : undefined;
    if (opsUrl) scraping.unwatch(opsUrl);
    process.kill(pids[name], 'SIGKILL');
    return {
      untilBack: async () => {
        await waitFor(`${name} is back`, async () => (await running.read()).pids[name] !== pids[name], 30);
        if (opsUrl) scraping.watch(name, opsUrl);
      },
    };
  };
  const stopwatch = () => {
    const started = performance.now();
    return () => `${((performance.now() - started) / 1_000).toFixed(1)} s`;
  };
  const report = (fault: string, { email, count }: Burst, recovery: string) =>
    figures.push(
      `${fault}: ${count} notices, ${countArrived(email)} arrived, ${countDoubled(email)} of them twice, ${recovery}`,
    );

  let killed: Burst;
  let sinceKill: () => string;
  let recovery: string;

  it('When the worker is killed -9 in mid-send, then the next one sends the others at once', async () => {
    const { email, send } = await createBurst();
    smtp.slowDown(40);
    const sending = send(50);
    await untilArrived({ email }, 10);
    const { untilBack } = await kill('worker');
    sinceKill = stopwatch();
    expect(countArrived(email)).to.be.below(50);
    killed = await sending;
    await untilBack();
    await untilArrived(killed, 49);
    recovery = `all but the one in flight ${sinceKill()} after the kill`;
    // The next fault must not meet a mail of this one on its way.
    await untilLeft(1);
    smtp.slowDown(0);
  });

  it(`When the mail server is away for ${FAULT_SECONDS} s, then every notice arrives afterwards, and none twice`, async () => {
    const { send } = await createBurst();
    await smtp.goDown();
    const burst = await send(20);
    await untilRelayed();
    await delay(FAULT_SECONDS * 1_000);
    expect(countArrived(burst.email)).to.equal(0);
    await smtp.comeBack();
    const sinceBack = stopwatch();
    await untilArrived(burst, 20);
    report(`SMTP away for ${FAULT_SECONDS} s`, burst, `all ${sinceBack()} after its return`);
    expect(arrivedIds(burst.email).length).to.equal(20);
  });

  it('When the worker was killed -9 in mid-send, then the notice that was in flight arrives, too, and it alone may do so twice', async () => {
    await untilArrived(killed, 50);
    recovery += `, all ${sinceKill()} after it`;
    await untilLeft(0);
    report('Worker killed -9', killed, recovery);
    expect(countDoubled(killed.email)).to.be.at.most(1);
  });

  it('When Redis is killed and comes back empty between queue and server, then every notice arrives, and none twice', async () => {
    const { send } = await createBurst();
    await smtp.goDown();
    const burst = await send(20);
    await untilRelayed();
    const { untilBack } = await kill('redis');
    const sinceKill = stopwatch();
    await untilBack();
    await smtp.comeBack();
    if (FAULT_SECONDS < 60) {
      // The worker asks again after half a minute, which nobody has to wait for here.
      const age = "update mail_outbox set enqueued_at = enqueued_at - interval '30 seconds'";
      await queryDatabase(running.stack.databaseUrl, age);
    }
    await untilArrived(burst, 20);
    report('Redis killed and emptied', burst, `all ${sinceKill()} after the kill`);
    await untilLeft(0);
    expect(arrivedIds(burst.email).length).to.equal(20);
  });

  it('Through all of it every process serves its metrics, and none ends but those that were killed', async () => {
    const result = await scraping.stop();
    figures.push(`Metrics scraped each second: ${describeScrapes(result)}`);
    expect(result.failures).to.deep.equal([]);
    expect(Object.keys(result.counts)).to.have.members(['gateway', 'auth', 'admin', 'worker']);
  });
});
