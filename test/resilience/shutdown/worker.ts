import type { SmtpStandIn } from '@platform/dev/testing/fake-smtp-server';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import type { Report } from '@platform/shared/testing/suite';
import { type Platform, SHUTDOWN_SECONDS } from './platform.ts';
import type { Ending, ServiceProcess } from './service-process.ts';
import { judgeAtOnce, signalTwice } from './signals.ts';

type Scene = { platform: Platform; report: Report; databaseUrl: string; smtp: SmtpStandIn };

const MAILS = 60;
const STOPS = 3;
/** So that a stop always finds mails half handed over. */
const SLOW_MILLISECONDS = 250;
const VERY_SLOW_MILLISECONDS = 5_000;

const INSERT = `
  insert into mail_outbox (mail, request_id)
  select jsonb_build_object('template', 'password-changed', 'to', recipient, 'changedAt', now()), 'stop-under-load'
  from unnest($1::text[]) recipient`;

const addMails = async (databaseUrl: string, count: number): Promise<string[]> => {
  const recipients = Array.from({ length: count }, uniqueEmail);
  await queryDatabase(databaseUrl, INSERT, [recipients]);
  return recipients;
};

const countWaiting = async (databaseUrl: string): Promise<number> => {
  const [row] = await queryDatabase<{ count: number }>(
    databaseUrl,
    'select count(*)::int as count from mail_outbox',
  );
  return row?.count ?? Number.NaN;
};

/** Resolves once the mail server has been handed more than it has acknowledged. */
const awaitMidSend = (smtp: SmtpStandIn, recipients: readonly string[]): Promise<unknown> =>
  waitFor('a mail is half handed over', () => {
    const attempts = recipients.reduce((sum, to) => sum + smtp.attemptsFor(to).length, 0);
    return attempts > smtp.mails().length;
  });

const stopAndStart = async (worker: ServiceProcess): Promise<Ending> => {
  const ending = await worker.stop();
  await worker.start();
  return ending;
};

/** SIGTERM while mails are being handed over: they are finished, and none is sent again by the next worker. */
const stopInMidSend = async ({ report, databaseUrl, smtp }: Scene, worker: ServiceProcess): Promise<void> => {
  smtp.slowDown(SLOW_MILLISECONDS);
  const recipients = await addMails(databaseUrl, MAILS);
  const endings: Ending[] = [];
  for (let stop = 0; stop < STOPS; stop += 1) {
    await awaitMidSend(smtp, recipients);
    endings.push(await stopAndStart(worker));
  }
  smtp.slowDown(0);
  await waitFor('the outbox is empty', async () => (await countWaiting(databaseUrl)) === 0, 60);
  const attempts = recipients.map((to) => smtp.attemptsFor(to).length);
  const lost = attempts.filter((count) => count === 0).length;
  const repeated = attempts.filter((count) => count > 1).length;
  report.check(
    lost === 0 && repeated === 0,
    `mailer-worker: ${MAILS} mails, ${STOPS} stops in the middle of some: ${lost} lost, ${repeated} sent twice`,
  );
  const unclean = endings.filter(({ code, seconds }) => code !== 0 || seconds > SHUTDOWN_SECONDS);
  const slowest = Math.max(...endings.map(({ seconds }) => seconds));
  report.check(
    unclean.length === 0,
    `mailer-worker: each stop ends with exit code 0, the slowest after ${slowest.toFixed(1)} s`,
  );
};

export const stopWorker = async (scene: Scene): Promise<void> => {
  const { platform, report, databaseUrl, smtp } = scene;
  const worker = await platform.make('mailer-worker');
  await worker.start();
  await stopInMidSend(scene, worker);

  smtp.slowDown(VERY_SLOW_MILLISECONDS);
  const recipients = await addMails(databaseUrl, 1);
  const [recipient = ''] = recipients;
  await waitFor('the mail is half handed over', () => smtp.attemptsFor(recipient).length > 0);
  judgeAtOnce(report, worker, await signalTwice(worker));
  smtp.slowDown(0);
};
