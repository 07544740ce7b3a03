import { randomBytes } from 'node:crypto';
import { EVERYBODY } from '@platform/dev/testing/fake-smtp-server';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { waitFor } from '@platform/shared/testing/poll';
import { Queue } from 'bullmq';
import { createClient } from 'redis';
import { type Fault, repeat, restart } from '../fault.ts';
import type { MonitoredPlatform } from '../monitored-platform.ts';
import { sendCodes } from '../traffic.ts';

/** The normal traffic contains no codes. */
const sendCodesRegularly = (platform: MonitoredPlatform) => repeat(() => sendCodes(platform, 1), 10_000);

/** Requests three codes; the normal traffic submits contact forms. */
const rejectLogins: Fault['inject'] = async (platform) => {
  const { smtp } = platform;
  smtp.acceptLogins(false);
  await smtp.goDown(); // the open connections have logged in
  await smtp.comeBack();
  await sendCodes(platform, 3);
  return async () => smtp.acceptLogins(true);
};

const refuseAll =
  (refusal: Parameters<MonitoredPlatform['smtp']['refuse']>[1]): Fault['inject'] =>
  async (platform) => {
    platform.smtp.refuse(EVERYBODY, refusal);
    const stop = sendCodesRegularly(platform);
    return async () => {
      await stop();
      platform.smtp.acceptAgain(EVERYBODY);
    };
  };

const changeCodeSecret: Fault['inject'] = async (platform) => {
  const stop = sendCodesRegularly(platform);
  const repair = await restart(platform, 'mailer-worker', {
    settings: { CODE_SECRET_KEY: randomBytes(36).toString('base64url') },
  });
  return async () => {
    await stop();
    await repair();
  };
};

const connectRedis = async ({ redisUrl }: MonitoredPlatform) => createClient({ url: redisUrl }).connect();

const pauseQueue: Fault['inject'] = async (platform) => {
  const redis = await connectRedis(platform);
  const queue = new Queue('mail', { connection: redis });
  await queue.pause();
  return async () => {
    await queue.resume();
    await queue.close();
    redis.destroy();
  };
};

const BACKLOG = 1_700;
const sendSlowly: Fault['inject'] = async (platform) => {
  const repair = await restart(platform, 'mailer-worker', { settings: { MAIL_RATE_PER_SECOND: '1' } });
  await Promise.all(Array.from({ length: 10 }, () => sendCodes(platform, BACKLOG / 10)));
  return repair;
};

/** The mailbox rejects a notice that has been waiting for two hours. */
const refuseMailbox: Fault['inject'] = async ({ smtp, records, gatewayUrl }) => {
  const auth = createAuthClient(gatewayUrl, CUSTOMER, createHttpClient(gatewayUrl).send);
  const account = await records.user(['CUSTOMER']);
  smtp.refuse(account.email, { at: 'data', code: 451 });
  const body = { currentPassword: PASSWORD, newPassword: `${PASSWORD} too` };
  await auth.resetPasswordMe({ ...(await auth.openDevice(account)), body });
  const text = `update mail_outbox set created_at = now() - interval '2 hours' where mail ->> 'to' = $1 returning id`;
  await waitFor('the notice waits', async () => (await records.query(text, [account.email])).length > 0);
  return async () => smtp.acceptAgain(account.email);
};

/** Moves the last cleanup 27 hours into the past. */
const forgetCleanup: Fault['inject'] = async (platform) => {
  const redis = await connectRedis(platform);
  const queue = new Queue('maintenance', { connection: redis });
  const job = await queue.add('remove-expired-tokens', {});
  await waitFor('the cleanup has succeeded', () => job.isCompleted());
  await redis.hSet(`bull:maintenance:${job.id}`, 'finishedOn', String(Date.now() - 27 * 3_600_000));
  await queue.close();
  redis.destroy();
  return async () => undefined;
};

const NO_MAIL = { alerts: ['MailNotSent'], minutes: 3 } as const;

export const MAIL_FAULTS: readonly Fault[] = [
  { cause: 'SMTP password wrong', ...NO_MAIL, inject: rejectLogins },
  {
    cause: 'mail server gone',
    ...NO_MAIL,
    inject: async ({ smtp }) => {
      await smtp.goDown();
      return smtp.comeBack;
    },
  },
  { cause: 'sender rejected', ...NO_MAIL, inject: refuseAll({ at: 'sender', code: 550 }) },
  { cause: 'every code rejected', ...NO_MAIL, inject: refuseAll({ at: 'data', code: 550 }) },
  {
    cause: 'worker with another CODE_SECRET_KEY',
    alerts: ['MailNotSent', 'SharedSecretsDiffer'],
    minutes: 3,
    inject: changeCodeSecret,
  },
  { cause: 'mail queue paused', ...NO_MAIL, inject: pauseQueue },
  {
    cause: 'mails accepted that never come',
    alerts: ['CodeNotReceived'],
    minutes: 6,
    inject: async ({ probe, gatewayUrl }) => {
      await probe.restart({ PROBE_INBOX_URL: `${gatewayUrl}/healthz` });
      return () => probe.restart();
    },
  },
  {
    cause: 'a mail server for one mail a second',
    alerts: ['MailDelayed', 'MailQueueLong'],
    minutes: 12,
    inject: sendSlowly,
  },
  {
    cause: 'every notice put off',
    alerts: ['MailStuck'],
    minutes: 15,
    inject: async ({ smtp }) => {
      smtp.refuse(EVERYBODY, { at: 'data', code: 451 });
      return async () => smtp.acceptAgain(EVERYBODY);
    },
  },
  {
    cause: 'a full mailbox',
    alerts: ['MailWaiting'],
    minutes: 7,
    sharedPlatform: 'accounts',
    inject: refuseMailbox,
  },
  {
    cause: 'CONTACT_INBOX unknown',
    alerts: ['MailFailing'],
    minutes: 2,
    sharedPlatform: 'processes',
    inject: async ({ smtp }) => {
      smtp.refuse('contact@example.com', { at: 'recipient', code: 550 });
      return async () => smtp.acceptAgain('contact@example.com');
    },
  },
  {
    cause: 'no cleanup for 27 hours',
    alerts: ['CleanupOverdue'],
    minutes: 7,
    sharedPlatform: 'accounts',
    inject: forgetCleanup,
  },
];
