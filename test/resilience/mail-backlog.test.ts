// 100,000 notices wait while Redis has 64 MB and the provider takes five mails a second. Codes are not
// delayed, also after the provider has rejected the login for a minute, and no mail is lost.
import { setTimeout as delay } from 'node:timers/promises';
import { type FakeSmtpServer, startFakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import { runRedisCommand } from '@platform/shared/testing/redis-server';
import { expectNoFailures, watchProcesses } from '@platform/shared/testing/watch-processes';
import { expect } from 'chai';
import { countBacklog, insertBacklog, measureDisplacement } from './mail-backlog/backlog.ts';
import { type Arrival, createAccounts, requestCodes, waitForCodes } from './mail-backlog/code-requests.ts';
import { watchMemory } from './mail-backlog/redis-memory.ts';
import {
  createPlatform,
  type Engines,
  type Platform,
  type RestartableService,
  startEngines,
} from './platform.ts';

const NOTICES = 100_000;
const REDIS_MEGABYTES = 64;
const RATE_PER_SECOND = 5;
const BACKLOG_SECONDS = 180;
const BACKLOG_CODES = 60;
const CODE_SECONDS = 5;
const OUTAGE_SECONDS = 60;
const OUTAGE_CODES = 12;
/** The longest pause of the worker, plus the retry of a code. */
const RECOVERY_SECONDS = 45;
/** The worker logs in once a second at first, and later once in half a minute. */
const MAX_LOGINS = 12;
/** Mails that are sent concurrently arrive in any order. */
const MAX_DISPLACEMENT = 10;
const FLAT_MEBIBYTES = 4;

const expectCodes = (arrivals: readonly Arrival[], maxSeconds: number): void => {
  expect(arrivals.filter(({ status }) => status !== 200)).to.deep.equal([]);
  const slowest = Math.max(...arrivals.map(({ seconds }) => seconds ?? Number.POSITIVE_INFINITY));
  console.log(`      the slowest of ${arrivals.length} codes arrives after ${slowest.toFixed(1)} s`);
  expect(slowest).to.be.at.most(maxSeconds);
};

describe(`mail backlog of ${NOTICES} notices`, () => {
  const watching = watchProcesses();
  let engines: Engines;
  let smtp: FakeSmtpServer;
  let platform: Platform;
  let authUrl: string;
  let worker: RestartableService;

  before('fill the outbox, and start auth-service and the worker', async () => {
    [engines, smtp] = await Promise.all([startEngines(), startFakeSmtpServer()]);
    smtp.acceptLogins(true);
    const smtpUrl = smtp.url.replace('//', '//user:password@');
    platform = createPlatform(engines, smtpUrl, watching, { MAIL_RATE_PER_SECOND: String(RATE_PER_SECOND) });
    await runRedisCommand(engines.redisUrl, 'CONFIG', 'SET', 'maxmemory', `${REDIS_MEGABYTES}mb`);
    await insertBacklog(engines.databaseUrl, NOTICES);
    const auth = await platform.create('auth-service');
    worker = await platform.create('mailer-worker');
    await Promise.all([auth.start(), worker.start()]);
    authUrl = auth.url;
  });
  after('stop everything', async () => {
    platform?.killAll();
    await smtp?.stop();
    await engines?.stop();
  });

  it('delays no code, needs no more Redis, and keeps the order of the outbox', async () => {
    const accounts = await createAccounts(authUrl, BACKLOG_CODES);
    const memory = watchMemory(engines.redisUrl);
    const requests = await requestCodes(authUrl, accounts, BACKLOG_SECONDS);
    const arrivals = await waitForCodes(smtp, requests, RECOVERY_SECONDS);
    const { least, most } = await memory.stop();
    expectCodes(arrivals, CODE_SECONDS);
    console.log(`      Redis: ${least.toFixed(1)} to ${most.toFixed(1)} MiB of ${REDIS_MEGABYTES} MB`);
    expect(most - least).to.be.below(FLAT_MEBIBYTES);
    expect(measureDisplacement(smtp)).to.be.at.most(MAX_DISPLACEMENT);
  });

  it('sends the codes after few rejected logins', async () => {
    const accounts = await createAccounts(authUrl, OUTAGE_CODES);
    const earlier = smtp.loginTimes().length;
    smtp.acceptLogins(false);
    // This closes the logged-in connections.
    await smtp.goDown();
    await smtp.comeBack();
    const requests = await requestCodes(authUrl, accounts, OUTAGE_SECONDS);
    expect(smtp.loginTimes().length - earlier, 'logins').to.be.at.most(MAX_LOGINS);
    smtp.acceptLogins(true);
    expectCodes(await waitForCodes(smtp, requests, RECOVERY_SECONDS), OUTAGE_SECONDS + RECOVERY_SECONDS);
  });

  it('loses no notice and sends none twice', async () => {
    // Some notices are sent after the outage, too.
    await delay(10_000);
    await worker.stop();
    const counts = await countBacklog(engines.databaseUrl, smtp, NOTICES);
    console.log(`      ${JSON.stringify(counts)}`);
    expect(counts).to.include({ lost: 0, duplicates: 0 });
    expect(counts.arrived).to.be.above(0);
    expectNoFailures(await watching.stop());
  });
});
