// `npm run test:resilience -- mail-backlog`: 100,000 notices wait while Redis has 64 MB and the provider takes five mails a
// second. Codes are not delayed, also after the provider has rejected the login for a minute, and no mail is lost.
import { setTimeout as delay } from 'node:timers/promises';
import { type FakeSmtpServer, startFakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import { runRedisCommand } from '@platform/shared/testing/redis-server';
import { type Report, runSuite } from '@platform/shared/testing/suite';
import { checkWatch, watchProcesses } from '@platform/shared/testing/watch-processes';
import { countBacklog, insertBacklog, measureDisplacement } from './mail-backlog/backlog.ts';
import { type Arrival, createAccounts, requestCodes, waitForCodes } from './mail-backlog/code-requests.ts';
import { watchMemory } from './mail-backlog/redis-memory.ts';
import { createPlatform, type RestartableService, startEngines } from './platform.ts';

const NOTICES = 100_000;
const REDIS_MEGABYTES = 64;
const RATE_PER_SECOND = 5;
const BACKLOG_SECONDS = 180;
const BACKLOG_CODES = 60;
const CODE_SECONDS = 5;
const OUTAGE_SECONDS = 60;
const OUTAGE_CODES = 12;
/** The longest pause of the worker, and the retry of a code. */
const RECOVERY_SECONDS = 45;
/** The worker logs in once a second at first, and once in half a minute at last. */
const MAX_LOGINS = 12;
/** Mails that are sent concurrently arrive in any order. */
const MAX_DISPLACEMENT = 10;
const FLAT_MEBIBYTES = 4;

type Fixture = { report: Report; smtp: FakeSmtpServer; authUrl: string };

const checkCodes = (report: Report, title: string, arrivals: Arrival[], maxSeconds: number): number => {
  const failed = arrivals.filter(({ status }) => status !== 200);
  const seconds = arrivals.flatMap((arrival) => arrival.seconds ?? []);
  const slowest = Math.max(...seconds);
  report.check(failed.length === 0, `${title}: ${failed.length} of ${arrivals.length} requests failed`);
  report.check(
    seconds.length === arrivals.length && slowest <= maxSeconds,
    `${title}: ${seconds.length} of ${arrivals.length} codes arrived, the slowest after ${slowest.toFixed(1)} s`,
  );
  return slowest;
};

const checkBacklog = async ({ report, smtp, authUrl }: Fixture, redisUrl: string): Promise<void> => {
  const accounts = await createAccounts(authUrl, BACKLOG_CODES);
  const memory = watchMemory(redisUrl);
  const requests = await requestCodes(authUrl, accounts, BACKLOG_SECONDS);
  const arrivals = await waitForCodes(smtp, requests, RECOVERY_SECONDS);
  const { samples, least, most } = await memory.stop();
  checkCodes(report, 'backlog', arrivals, CODE_SECONDS);
  report.check(
    most - least < FLAT_MEBIBYTES,
    `Redis: ${least.toFixed(1)} to ${most.toFixed(1)} MiB in ${samples} samples, of ${REDIS_MEGABYTES} MB`,
  );
  const displacement = measureDisplacement(smtp);
  report.check(
    displacement <= MAX_DISPLACEMENT,
    `the notices arrive in the order of the outbox, but for ${displacement} places`,
  );
};

const checkRejectedLogins = async ({ report, smtp, authUrl }: Fixture): Promise<void> => {
  const accounts = await createAccounts(authUrl, OUTAGE_CODES);
  const earlier = smtp.loginTimes().length;
  smtp.acceptLogins(false);
  // Closes the connections that are logged in.
  await smtp.goDown();
  await smtp.comeBack();
  const requests = await requestCodes(authUrl, accounts, OUTAGE_SECONDS);
  const logins = smtp.loginTimes().length - earlier;
  const acceptedAt = Date.now();
  smtp.acceptLogins(true);
  const arrivals = await waitForCodes(smtp, requests, RECOVERY_SECONDS);
  const last = Math.max(...requests.map(({ email }) => smtp.arrivedAt(email) ?? 0));
  report.check(logins <= MAX_LOGINS, `login rejected for ${OUTAGE_SECONDS} s: ${logins} attempts`);
  checkCodes(report, 'rejected login', arrivals, OUTAGE_SECONDS + RECOVERY_SECONDS);
  report.log(`    all codes ${((last - acceptedAt) / 1_000).toFixed(1)} s after the login was accepted`);
};

const checkNotices = async (
  { report, smtp }: Fixture,
  worker: RestartableService,
  databaseUrl: string,
): Promise<void> => {
  // Some notices are sent after the outage, too.
  await delay(10_000);
  await worker.stop();
  const counts = await countBacklog(databaseUrl, smtp, NOTICES);
  report.check(
    counts.lost === 0 && counts.duplicates === 0 && counts.arrived > 0,
    `${NOTICES} notices: ${counts.arrived} arrived, ${counts.duplicates} of them twice, ${counts.enqueued} in the queue, ` +
      `${counts.waiting} in the outbox, ${counts.lost} lost`,
  );
};

const run = async (report: Report): Promise<void> => {
  const engines = await startEngines();
  const { databaseUrl, redisUrl } = engines;
  const smtp = await startFakeSmtpServer();
  smtp.acceptLogins(true);
  const watching = watchProcesses();
  const smtpUrl = smtp.url.replace('//', '//user:password@');
  const platform = createPlatform(engines, smtpUrl, watching, {
    MAIL_RATE_PER_SECOND: String(RATE_PER_SECOND),
  });
  try {
    await runRedisCommand(redisUrl, 'CONFIG', 'SET', 'maxmemory', `${REDIS_MEGABYTES}mb`);
    await insertBacklog(databaseUrl, NOTICES);
    const auth = await platform.create('auth-service');
    const worker = await platform.create('mailer-worker');
    await Promise.all([auth.start(), worker.start()]);
    const fixture = { report, smtp, authUrl: auth.url };
    await checkBacklog(fixture, redisUrl);
    await checkRejectedLogins(fixture);
    await checkNotices(fixture, worker, databaseUrl);
    checkWatch(report, await watching.stop());
  } finally {
    platform.killAll();
    await smtp.stop();
    await engines.stop();
  }
};

await runSuite({
  name: 'mail-backlog',
  timeoutSeconds: 480,
  run,
});
