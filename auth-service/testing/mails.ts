import { createCodeCipher, openMailJob } from '@platform/shared/platform/mail/code-encryption';
import { type Mail, parseMailJob } from '@platform/shared/platform/mail/mail';
import { DECOY_QUEUE, MAIL_QUEUE } from '@platform/shared/platform/mail/mail-queue';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import type { Records } from '@platform/shared/testing/records';
import type { TestRedis } from '@platform/shared/testing/test-redis';
import { Queue } from 'bullmq';
import { expect } from 'chai';

const createCipher = (secret: string) => createCodeCipher({ current: secret, previous: [] });

/** The mails that were encrypted with the secret. */
const readQueue = async (queue: Queue, secret: string): Promise<{ timestamp: number; mail: Mail }[]> => {
  const cipher = createCipher(secret);
  const jobs = await queue.getJobs(['waiting', 'prioritized', 'delayed']);
  return jobs.flatMap(({ data, timestamp }) => {
    try {
      return [{ timestamp, mail: parseMailJob(openMailJob(data, cipher)).mail }];
    } catch (error) {
      if (error instanceof AggregateError) return [];
      throw error;
    }
  });
};

/** Reads the mails that a service has queued in Redis, or inserted into the outbox. */
export const openMails = ({ client }: TestRedis, { query }: Pick<Records, 'query'>, codeSecret: string) => {
  const queues = [MAIL_QUEUE, DECOY_QUEUE].map((name) => new Queue(name, { connection: client }));
  const queued = async (secret = codeSecret): Promise<Mail[]> => {
    const jobs = (await Promise.all(queues.map((queue) => readQueue(queue, secret)))).flat();
    return jobs.sort((one, other) => one.timestamp - other.timestamp).map(({ mail }) => mail);
  };
  const codeFor = async (email: string, secret = codeSecret): Promise<string> => {
    const { decrypt } = createCipher(secret);
    const codes = (await queued(secret)).flatMap((mail) =>
      'sealedCode' in mail && mail.to === email ? [decrypt(mail.sealedCode)] : [],
    );
    const code = codes.at(-1);
    if (code === undefined) throw new Error(`No code is queued for ${email}`);
    return code;
  };
  const outboxFor = async (email: string): Promise<Mail[]> => {
    const text = "select mail from mail_outbox where mail ->> 'to' = $1 order by created_at";
    return (await query<{ mail: Mail }>(text, [email])).map(({ mail }) => mail);
  };
  return {
    /** The mails and decoys in the queues, oldest first. */
    queued: () => queued(),
    queuedFor: async (email: string): Promise<Mail[]> =>
      (await queued()).filter((mail) => 'to' in mail && mail.to === email),
    /** Returns the newest code that is queued for the address and encrypted with the secret. */
    codeFor,
    /** Waits for a request that sends a code. Returns the code. */
    codeOf: async (email: string, sending: Promise<HttpResponse>): Promise<string> => {
      const { status, text } = await sending;
      expect(status, text).to.equal(200);
      return await codeFor(email);
    },
    /** The notices in the outbox for this address. */
    outboxFor,
    /** The templates of these notices. */
    templatesFor: async (email: string): Promise<string[]> =>
      (await outboxFor(email)).map(({ template }) => template),
    close: () => Promise.all(queues.map((queue) => queue.close())),
  };
};

/** Makes every addition to the mail queues fail. Returns a function that repairs them. */
export const breakMailQueues = async ({ client }: TestRedis): Promise<() => Promise<void>> => {
  // BullMQ uses these keys as counters, so its scripts fail.
  const keys = [MAIL_QUEUE, DECOY_QUEUE].map((name) => `bull:${name}:id`);
  const counts = await Promise.all(keys.map((key) => client.getDel(key)));
  for (const key of keys) await client.lPush(key, 'no number');
  return async () => {
    await client.del(keys);
    for (const [index, key] of keys.entries()) await client.set(key, counts[index] ?? '0');
  };
};
