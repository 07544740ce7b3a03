import type { FakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import type { Exit } from '@platform/shared/testing/process';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { expect } from 'chai';
import type { Platform, RestartableService } from '../platform.ts';
import { expectCleanExits } from './rolling-restart.ts';
import { expectSecondSignalToEnd } from './signals.ts';

type Fixture = { platform: Platform; databaseUrl: string; smtp: FakeSmtpServer };

const MAILS = 60;
const RESTARTS = 3;
/** Each mail takes this long, so that mails are being sent at every stop. */
const SLOW_MILLISECONDS = 250;
const VERY_SLOW_MILLISECONDS = 5_000;

const INSERT = `
  insert into mail_outbox (mail, request_id)
  select jsonb_build_object('template', 'password-changed', 'to', recipient, 'changedAt', now()), 'shutdown'
  from unnest($1::text[]) recipient`;

const addMails = async (databaseUrl: string, count: number): Promise<string[]> => {
  const recipients = Array.from({ length: count }, uniqueEmail);
  await queryDatabase(databaseUrl, INSERT, [recipients]);
  return recipients;
};

/** Resolves when the mail server has received more mails than it has acknowledged. */
const waitForUnfinishedMail = (smtp: FakeSmtpServer, recipients: readonly string[]): Promise<unknown> =>
  waitFor('a mail is being sent', () => {
    const attempts = recipients.reduce((sum, to) => sum + smtp.attemptsFor(to).length, 0);
    return attempts > smtp.mails().length;
  });

/**
 * Sends SIGTERM while mails are sent. They must be finished, and the next worker must not send them again.
 */
const restartWhileSending = async (
  { databaseUrl, smtp }: Fixture,
  worker: RestartableService,
): Promise<void> => {
  smtp.slowDown(SLOW_MILLISECONDS);
  const recipients = await addMails(databaseUrl, MAILS);
  const exits: Exit[] = [];
  for (let restart = 0; restart < RESTARTS; restart += 1) {
    await waitForUnfinishedMail(smtp, recipients);
    exits.push(await worker.stop());
    await worker.start();
  }
  smtp.slowDown(0);
  const isOutboxEmpty = async () =>
    (await queryDatabase(databaseUrl, 'select 1 from mail_outbox')).length === 0;
  await waitFor('the outbox is empty', isOutboxEmpty, 60);
  const attempts = recipients.map((to) => smtp.attemptsFor(to).length);
  expect(attempts.filter((count) => count === 0).length, 'lost mails').to.equal(0);
  expect(attempts.filter((count) => count > 1).length, 'mails sent twice').to.equal(0);
  expectCleanExits(exits);
};

export const restartWorker = async (fixture: Fixture): Promise<void> => {
  const { platform, databaseUrl, smtp } = fixture;
  const worker = await platform.create('mailer-worker');
  await worker.start();
  await restartWhileSending(fixture, worker);

  smtp.slowDown(VERY_SLOW_MILLISECONDS);
  const [recipient = ''] = await addMails(databaseUrl, 1);
  await waitFor('the mail is being sent', () => smtp.attemptsFor(recipient).length > 0);
  await expectSecondSignalToEnd(worker);
  smtp.slowDown(0);
};
