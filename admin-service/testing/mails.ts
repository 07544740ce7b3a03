import { randomUUID } from 'node:crypto';
import type { Mail } from '@platform/shared/platform/mail/mail';
import { createMailCipher } from '@platform/shared/platform/mail/mail-encryption';
import { createMailQueue, MAIL_QUEUE, type MailQueue } from '@platform/shared/platform/mail/mail-queue';
import type { StoredCode } from '@platform/shared/platform/mail/stored-code';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { type Job, Queue, Worker } from 'bullmq';
import { expect } from 'chai';
import { CODE_SECRET, minutesAgo, type RunningAdminService, startAdminService } from './admin-service.ts';

export const CODE = '042917';
const cipher = createMailCipher({ current: CODE_SECRET, previous: [] });
export const inMinutes = (minutes: number): string => minutesAgo(-minutes).toISOString();

export const codeMail = (to: string, expiresAt = inMinutes(15)): Mail => ({
  template: 'verification-code',
  to,
  language: 'en',
  code: CODE,
  expiresAt,
  isDecoy: false,
  userId: null,
  kind: 'customer',
});
export const formMail = (message: string): Mail => ({
  template: 'support-request',
  to: 'team@example.com',
  request: { email: uniqueEmail(), subject: message, message },
});

type RowFields = { failure?: string; attempts?: number; createdAt?: Date };

const createFixture = (
  service: RunningAdminService,
  { client }: TestRedis,
  mails: MailQueue,
  queue: Queue,
) => {
  const list = (query: Record<string, string | number> = {}) => service.administrator.listMails({ query });
  const addRow = async (mail: Mail, { failure, attempts = 0, createdAt }: RowFields = {}) => {
    const [row] = await service.records.query<{ id: string }>(
      `insert into mail_outbox (mail, request_id, created_at, enqueued_at, failed_at, failure, attempts)
       values ($1, 'request-1', coalesce($2, now()), now(), case when $3::text is not null then now() end, $3, $4) returning id`,
      [mail, createdAt, failure, attempts],
    );
    return row?.id ?? '';
  };
  const withWorker = async (work: (job: Job) => Promise<void>, until: 'failed' | 'active') => {
    const worker = new Worker(MAIL_QUEUE, work, { connection: client });
    await new Promise((resolve) => worker.once(until, resolve));
    return worker;
  };

  return {
    service,
    redis: client,
    queue,
    list,
    retry: (id: string) => service.administrator.retryMail({ id }),
    remove: (id: string) => service.administrator.deleteMail({ id }),
    find: async (id: string) => {
      const { status, body, text } = await list({ perPage: 100 });
      expect(status, text).to.equal(200);
      return body.data.find((mail: { id: string }) => mail.id === id);
    },
    addRow,
    /** Queues the mail of a row, as the worker does. */
    queueRow: async (mail: Mail, fields?: RowFields) => {
      const id = await addRow(mail, fields);
      await mails.add(id, { mail, requestId: 'request-1', inOutbox: true });
      return id;
    },
    queueCode: async (storedCode?: StoredCode, mail = codeMail(uniqueEmail())) => {
      const id = randomUUID();
      const job = { mail, requestId: 'request-1', inOutbox: false, ...(storedCode && { storedCode }) };
      await mails.add(id, job);
      return id;
    },
    failNext: async (error: Error) => {
      const worker = await withWorker(() => Promise.reject(error), 'failed');
      await worker.close();
    },
    whileSending: async (check: () => Promise<void>) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const worker = await withWorker(() => promise, 'active');
      try {
        await check();
      } finally {
        resolve();
        await worker.close();
      }
    },
    getState: (id: string) => queue.getJobState(id),
  };
};

type MailFixture = ReturnType<typeof createFixture>;

/** Starts an admin-service with a Redis, whose mails each test adds. The mails of earlier tests are gone. */
export const useMails = (): (() => MailFixture) => {
  let redis: TestRedis;
  let service: RunningAdminService;
  let mails: MailQueue;
  let queue: Queue;
  let fixture: MailFixture;
  before('start admin-service with a Redis', async () => {
    redis = await createTestRedis();
    redis.client.setMaxListeners(100);
    service = await startAdminService({ REDIS_URL: redis.url });
    await service.connected();
    mails = createMailQueue(redis.client as never, cipher);
    queue = new Queue(MAIL_QUEUE, { connection: redis.client });
    fixture = createFixture(service, redis, mails, queue);
  });
  beforeEach('delete the mails of other tests', async () => {
    await redis.client.flushDb();
    await service.records.query('delete from mail_outbox');
  });
  after('stop both', async () => {
    await queue?.close();
    await mails?.close();
    await service?.stop();
    await redis?.drop();
  });
  return () => fixture;
};
