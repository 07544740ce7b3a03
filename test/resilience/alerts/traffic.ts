import { randomUUID } from 'node:crypto';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { Queue } from 'bullmq';
import { createClient } from 'redis';
import { startSteadyLoad } from '../load/steady-load.ts';
import type { MonitoredPlatform } from './monitored-platform.ts';

export const CONTACT_INBOX = 'contact@example.com';
type Form = 'lead' | 'support';

/** Submits a contact form, which the worker sends to CONTACT_INBOX. */
export const submitForm = async (gatewayUrl: string, form: Form): Promise<void> => {
  const subject = form === 'lead' ? { name: 'Ada' } : { subject: 'Help' };
  await createHttpClient(gatewayUrl, { timeoutSeconds: 10 }).send({
    method: 'POST',
    path: `/api/v1/contact/${form}`,
    body: { ...subject, email: 'visitor@example.com', message: 'Please' },
  });
};

/** Requests codes for new users. */
export const sendCodes = async ({ gatewayUrl }: MonitoredPlatform, count: number): Promise<void> => {
  const auth = createAuthClient(gatewayUrl, CUSTOMER, createHttpClient(gatewayUrl).send);
  for (let sent = 0; sent < count; sent += 1) {
    const account = { email: uniqueEmail(), password: PASSWORD };
    await auth.signUp(account);
    await auth.sendVerificationCode(await auth.openDevice(account));
  }
};

/** Normal traffic, with a few sign-ins of unknown users. Failures are part of the outages that the suite causes. */
export const startTraffic = async ({ gatewayUrl }: MonitoredPlatform) => {
  const client = createHttpClient(gatewayUrl, { keepAlive: true, timeoutSeconds: 10 });
  const auth = createAuthClient(gatewayUrl, CUSTOMER, client.send);
  const account = { email: uniqueEmail(), password: PASSWORD };
  await auth.signUp(account);
  let device = await auth.openDevice(account);
  const during = (perSecond: number, work: () => Promise<unknown>) => ({
    perSecond,
    run: () =>
      work().then(
        () => true,
        () => true,
      ),
  });
  return startSteadyLoad([
    during(2, () => auth.signIn(account, uniqueFingerprint())),
    during(0.2, () => auth.signIn({ ...account, email: uniqueEmail() }, uniqueFingerprint())),
    during(10, () => auth.me(device)),
    during(0.2, async () => {
      device = await auth.refreshed(device);
    }),
    during(0.5, () => submitForm(gatewayUrl, 'lead')),
  ]);
};

/**
 * Sends notices whose mail server rejects nine attempts temporarily: more than a job of the queue has. The jobs have one
 * attempt and the relay repeats them at once, which takes seconds instead of five minutes.
 */
export const sendRetriedMails = async (platform: MonitoredPlatform, count: number): Promise<void> => {
  const { databaseUrl, redisUrl, smtp } = platform;
  const client = createClient({ url: redisUrl });
  await client.connect();
  const queue = new Queue('mail', { connection: client });
  const recipients = Array.from({ length: count }, () => uniqueEmail());
  try {
    for (const to of recipients) {
      const mail = { template: 'password-changed', to, changedAt: new Date().toISOString() };
      smtp.refuse(to, { at: 'data', code: 451, times: 9 });
      const id = randomUUID();
      // The row is marked as queued: the relay would add a job with eight attempts.
      await queryDatabase(
        databaseUrl,
        "insert into mail_outbox (id, mail, request_id, enqueued_at) values ($1, $2, 'retried', now())",
        [id, JSON.stringify(mail)],
      );
      await queue.add(
        mail.template,
        { mail, requestId: 'retried', inOutbox: true },
        { jobId: id, attempts: 1 },
      );
    }
    await waitFor(
      'the retried mails are sent',
      async () => {
        await queryDatabase(
          databaseUrl,
          "update mail_outbox set enqueued_at = now() - interval '1 hour' where request_id = 'retried'",
        );
        return recipients.every((to) => smtp.mails().some((mail) => mail.to.includes(to)));
      },
      60,
    );
  } finally {
    await queue.close();
    client.destroy();
  }
};
