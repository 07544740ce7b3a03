import { createCodeCipher } from '@platform/shared/mail/code-encryption';
import type { Mail, MailJob } from '@platform/shared/mail/mail';
import { MAIL_QUEUE } from '@platform/shared/mail/mail-queue';
import { type AccountKind, type AuthClient, createAuthClient } from '@platform/shared/testing/auth-client';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { Queue } from 'bullmq';
import { type RunningAuthService, startAuthService } from './auth-service.ts';

/** The tests open the codes in the queue with it, as the worker does. */
export const CODE_SECRET = 'code-secret-of-the-tests-0000000000001';

export type RunningCodeService = Omit<RunningAuthService, 'client'> & {
  client: (kind: AccountKind) => AuthClient;
  redis: TestRedis;
  /** What it was told beyond the least: for a second one beside it. */
  environment: Record<string, string>;
  /** What waits in the queue for the worker, oldest first. */
  queuedMails: () => Promise<Mail[]>;
  /** The newest code queued for the address. */
  codeFor: (email: string) => Promise<string>;
  /** The notices that wait in the outbox for the address. */
  outboxFor: (email: string) => Promise<Mail[]>;
};

const { decrypt: open } = createCodeCipher({ current: CODE_SECRET, previous: [] });

const readQueue = async (queue: Queue<MailJob>): Promise<Mail[]> => {
  const jobs = await queue.getJobs(['waiting', 'prioritized', 'delayed']);
  return jobs.sort((one, other) => one.timestamp - other.timestamp).map(({ data }) => data.mail);
};

/** The whole service on a database and a Redis of its own; its queue has no worker. */
export const startCodeService = async (
  environment: Record<string, string> = {},
): Promise<RunningCodeService> => {
  const redis = await createTestRedis();
  const given = {
    CODE_SECRET_KEY: CODE_SECRET,
    REDIS_URL: redis.url,
    ...environment,
  };
  const auth = await startAuthService(given);
  const queue = new Queue<MailJob>(MAIL_QUEUE, { connection: redis.client });
  const queuedMails = () => readQueue(queue);
  return {
    ...auth,
    redis,
    environment: given,
    client: (kind) => createAuthClient(auth.url, kind),
    queuedMails,
    codeFor: async (email) => {
      const codes = (await queuedMails()).flatMap((mail) =>
        'sealedCode' in mail && mail.to === email ? [open(mail.sealedCode)] : [],
      );
      const code = codes.at(-1);
      if (code === undefined) throw new Error(`No code is queued for ${email}`);
      return code;
    },
    outboxFor: async (email) =>
      (
        await queryDatabase<{ mail: Mail }>(
          auth.databaseUrl,
          "select mail from mail_outbox where mail ->> 'to' = $1 order by created_at",
          [email],
        )
      ).map(({ mail }) => mail),
    stop: async () => {
      await auth.stop();
      await queue.close();
      await redis.drop();
    },
  };
};

/** Registers the hooks of a suite that has a service of its own; the function returned gives it to the tests. */
export const useCodeService = (environment: Record<string, string> = {}): (() => RunningCodeService) => {
  let running: RunningCodeService | undefined;
  before('start auth-service', async () => {
    running = await startCodeService(environment);
  });
  after('stop auth-service', () => running?.stop());
  return () => {
    if (!running) throw new Error('The service runs only while the tests of its suite do');
    return running;
  };
};

/** Six digits that are not the code. */
export const otherThan = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
