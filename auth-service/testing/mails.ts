import type { Mail } from '@platform/shared/platform/mail/mail';
import { createMailCipher, openMailJob } from '@platform/shared/platform/mail/mail-encryption';
import { MAIL_QUEUE } from '@platform/shared/platform/mail/mail-queue';
import { parseMailJob } from '@platform/shared/platform/mail/parse-mail-job';
import type { StoredCode } from '@platform/shared/platform/mail/stored-code';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import type { Records } from '@platform/shared/testing/records';
import type { TestRedis } from '@platform/shared/testing/test-redis';
import { Queue } from 'bullmq';
import { expect } from 'chai';

type QueuedMail = { mail: Mail; storedCode?: StoredCode };

/** The mails that were encrypted with the secret, oldest first. */
const readQueue = async (queue: Queue, secret: string): Promise<QueuedMail[]> => {
  const cipher = createMailCipher({ current: secret, previous: [] });
  const jobs = await queue.getJobs(['waiting', 'prioritized', 'delayed']);
  const oldestFirst = jobs.sort((one, other) => one.timestamp - other.timestamp);
  return oldestFirst.flatMap(({ data }) => {
    try {
      return [{ mail: parseMailJob(openMailJob(data, cipher)).mail, storedCode: data.storedCode }];
    } catch (error) {
      if (error instanceof AggregateError) return [];
      throw error;
    }
  });
};

/** The mail that says that the password was changed, which has no secrets. */
export const expectPasswordChanged = (
  mails: readonly Mail[],
  expected: { to: string; isEmailVerified: boolean },
): void => {
  const [notice, ...others] = mails;
  expect(others).to.deep.equal([]);
  expect(notice).to.have.all.keys(
    ...['template', 'to', 'language', 'isEmailVerified', 'changedAt', 'timeZone', 'roles'],
  );
  expect(notice).to.include({ template: 'password-changed', ...expected });
};

/** Reads the mails that a service has queued in Redis, or inserted into the outbox. */
export const openMails = ({ client }: TestRedis, { query }: Pick<Records, 'query'>, codeSecret: string) => {
  const queue = new Queue(MAIL_QUEUE, { connection: client });
  const findFor = async (email: string, secret = codeSecret): Promise<QueuedMail[]> =>
    (await readQueue(queue, secret)).filter(
      ({ mail }) => 'to' in mail && mail.to === email && !('isDecoy' in mail && mail.isDecoy),
    );
  const codeFor = async (email: string, secret?: string): Promise<string> => {
    const codes = (await findFor(email, secret)).flatMap(({ mail }) => ('code' in mail ? [mail.code] : []));
    const code = codes.at(-1);
    if (code === undefined) throw new Error(`No code is queued for ${email}`);
    return code;
  };
  const outboxFor = async (email: string): Promise<Mail[]> => {
    const text = "select mail from mail_outbox where mail ->> 'to' = $1 order by created_at";
    return (await query<{ mail: Mail }>(text, [email])).map(({ mail }) => mail);
  };
  return {
    /** The mails and decoys in the queue, oldest first. */
    queued: async () => (await readQueue(queue, codeSecret)).map(({ mail }) => mail),
    /** The mails in the queue for this address, without decoys. */
    queuedFor: async (email: string) => (await findFor(email)).map(({ mail }) => mail),
    /** Returns the newest code that is queued for the address and encrypted with the secret. */
    codeFor,
    /** Where the newest code that is queued for the address is stored. */
    storedCodeFor: async (email: string): Promise<StoredCode> => {
      const storedCode = (await findFor(email)).at(-1)?.storedCode;
      if (storedCode === undefined) throw new Error(`No code is queued for ${email}`);
      return storedCode;
    },
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
    close: () => queue.close(),
  };
};

/** Makes every addition to the mail queue fail. Returns a function that repairs it. */
export const breakMailQueue = async ({ client }: TestRedis): Promise<() => Promise<void>> => {
  // BullMQ uses this key as a counter, so its scripts fail.
  const key = `bull:${MAIL_QUEUE}:id`;
  const count = await client.getDel(key);
  await client.lPush(key, 'no number');
  return async () => {
    await client.del(key);
    await client.set(key, count ?? '0');
  };
};
