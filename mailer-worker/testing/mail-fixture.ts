import { randomUUID } from 'node:crypto';
import { type FakeSmtpServer, startFakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import type { Mail, MailJob, MailOf } from '@platform/shared/platform/mail/mail';
import { createMailCipher, sealMailJob } from '@platform/shared/platform/mail/mail-encryption';
import { createMailQueue, MAIL_QUEUE } from '@platform/shared/platform/mail/mail-queue';
import { connectRedis } from '@platform/shared/redis/redis';
import { waitFor } from '@platform/shared/testing/poll';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { createTestDatabase, withLoginOf } from '@platform/shared/testing/test-database';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { type JobsOptions, Queue } from 'bullmq';
import { CODE_SECRET, type RunningWorker, startTestWorker } from './test-worker.ts';

export const cipher = createMailCipher({ current: CODE_SECRET, previous: [] });

export const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();

export const codeMail = (
  to: string,
  code = '042917',
  expiresAt = inSeconds(900),
  userId: string | null = null,
): MailOf<'verification-code'> => ({
  template: 'verification-code',
  to,
  language: 'en',
  code,
  expiresAt,
  isDecoy: false,
  userId,
  kind: 'customer',
});
export const noticeMail = (to: string): MailOf<'password-changed'> => ({
  template: 'password-changed',
  to,
  language: 'en',
  isEmailVerified: true,
  changedAt: new Date().toISOString(),
});
export const formMail = (to: string): MailOf<'support-request'> => ({
  template: 'support-request',
  to,
  request: { email: 'ada@example.com', subject: 'Help', message: 'Help' },
});

type SentMail = { id: string; mail: string; recipient: string; state: string; failure: string | null };
type OutboxRow = { id: string; failedAt: Date | null; failure: string | null; isEnqueued: boolean };

const createQueue = (redis: TestRedis) => {
  const queue = new Queue<unknown, void, string>(MAIL_QUEUE, { connection: redis.client });
  /** Adds a job with arbitrary data, with the attempts of production and shorter delays; returns its id. */
  const enqueueRaw = async (name: string, data: unknown, options: JobsOptions = {}): Promise<string> => {
    const jobId = options.jobId ?? randomUUID();
    const backoff = { type: 'exponential', delay: 200 };
    await queue.add(name, data, { attempts: 8, backoff, ...options, jobId });
    return jobId;
  };
  return {
    queue,
    enqueueRaw,
    enqueue: (mail: Mail, options?: JobsOptions, job: Partial<MailJob> = {}): Promise<string> => {
      const sealed = sealMailJob({ mail, requestId: 'request-1', inOutbox: false, ...job }, cipher);
      return enqueueRaw(mail.template, sealed, options);
    },
    waitUntilQueueEmpty: () =>
      waitFor('the queue is empty', async () => {
        const counts = await queue.getJobCounts('waiting', 'active', 'delayed', 'prioritized');
        return Object.values(counts).every((count) => count === 0);
      }),
    /** Resolves with the reason of the job's final failure. */
    waitUntilFailed: (id: string): Promise<string> =>
      waitFor(`job ${id} fails`, async () => {
        const job = await queue.getJob(id);
        return job !== undefined && (await job.isFailed()) && job.failedReason;
      }),
  };
};

/** Enqueues with the job options of the services. */
const createServiceQueue = (redisUrl: string) => {
  const redis = connectRedis(redisUrl, () => undefined);
  const queue = createMailQueue(redis, cipher);
  return {
    enqueueAsService: async (mail: Mail): Promise<string> => {
      await waitFor('the queue is connected', queue.isReady);
      const id = randomUUID();
      await queue.add(id, { mail, requestId: 'request-1', inOutbox: false });
      return id;
    },
    close: async () => {
      await queue.close();
      redis.destroy();
    },
  };
};

const createOutbox = ({ query }: Pick<Records, 'query'>) => {
  /** Inserts a mail as often as given. */
  const addManyToOutbox = (count: number, mail: object, userId?: string): Promise<{ id: string }[]> =>
    query<{ id: string }>(
      `insert into mail_outbox (mail, request_id, user_id)
       select $2::jsonb, 'request-1', $3 from generate_series(1, $1) returning id`,
      [count, JSON.stringify(mail), userId],
    );
  return {
    addManyToOutbox,
    /** Inserts a mail as the services do; returns the id of the row. */
    addToOutbox: async (mail: object, userId?: string): Promise<string> => {
      const [row] = await addManyToOutbox(1, mail, userId);
      if (!row) throw new Error('The row was not returned');
      return row.id;
    },
    readOutbox: (): Promise<OutboxRow[]> =>
      query<OutboxRow>(
        `select id, failed_at as "failedAt", failure, enqueued_at is not null as "isEnqueued"
         from mail_outbox order by created_at`,
      ),
    /** Moves the relay time of relayed mails into the past. */
    ageOutbox: async (seconds: number): Promise<void> => {
      await query('update mail_outbox set enqueued_at = enqueued_at - make_interval(secs => $1)', [seconds]);
    },
  };
};

const createMailbox = (smtp: FakeSmtpServer) => {
  const getMailsTo = (address: string) => smtp.mails().filter(({ to }) => to.includes(address));
  return {
    smtp,
    getMailsTo,
    waitUntilSent: (address: string, count = 1, timeoutSeconds?: number): Promise<unknown> =>
      waitFor(`${count} mails to ${address}`, () => getMailsTo(address).length >= count, timeoutSeconds),
  };
};

const startMailFixture = async () => {
  const database = await createTestDatabase();
  const redis = await createTestRedis();
  const smtp = await startFakeSmtpServer();
  const jobs = createQueue(redis);
  const records = createRecords(database.url);
  const services = createServiceQueue(redis.url);
  const workers: RunningWorker[] = [];
  const stopWorkers = async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  };
  const clear = async () => {
    await stopWorkers();
    await redis.client.flushDb();
    await records.query('truncate mail_outbox');
  };
  return {
    databaseUrl: database.url,
    redis,
    ...jobs,
    enqueueAsService: services.enqueueAsService,
    records,
    ...createOutbox(records),
    readSentMails: (userId: string): Promise<SentMail[]> =>
      records.query<SentMail>(
        'select id, mail, recipient, state, failure from sent_mails where user_id = $1',
        [userId],
      ),
    ...createMailbox(smtp),
    /** Starts a worker, which is stopped after the test at the latest. */
    startWorker: async (environment: Record<string, string> = {}): Promise<RunningWorker> => {
      const worker = await startTestWorker({
        DATABASE_URL: await withLoginOf('worker', database.url),
        REDIS_URL: redis.url,
        SMTP_URL: smtp.url,
        ...environment,
      });
      workers.push(worker);
      return worker;
    },
    clear,
    stop: async () => {
      await stopWorkers();
      await jobs.queue.close();
      await services.close();
      await records.close();
      await smtp.stop();
      await redis.drop();
      await database.drop();
    },
  };
};

type MailFixture = Awaited<ReturnType<typeof startMailFixture>>;

/** Creates a database, a Redis and an SMTP server for a suite, and starts workers on demand. */
export const useMailFixture = (): (() => MailFixture) => {
  let fixture: MailFixture | undefined;
  before('start Postgres, Redis and SMTP', async () => {
    fixture = await startMailFixture();
  });
  afterEach('stop the workers and clear the queue', () => fixture?.clear());
  after('stop Postgres, Redis and SMTP', () => fixture?.stop());
  return () => {
    if (!fixture) throw new Error('The fixture is available only while the tests run');
    return fixture;
  };
};
