import { SpanKind } from '@opentelemetry/api';
import { type JobsOptions, Queue } from 'bullmq';
import { unavailable } from '../../errors/app-error.ts';
import { withRedisTimeout } from '../../redis/redis.ts';
import type { RedisClient } from '../../redis/redis-client.ts';
import { currentTraceparent, withSpan } from '../../tracing/tracing.ts';
import { isCodeMail, isFormMail, isServiceMessage, type Mail, type MailJob } from './mail.ts';
import { type MailCipher, type SealedMailJob, sealMailJob } from './mail-encryption.ts';

export const MAIL_QUEUE = 'mail';
export const MAINTENANCE_QUEUE = 'maintenance';

/**
 * The states of an unsent mail; the job of a sent mail is removed. A mail with a priority waits as
 * `prioritized`.
 */
const STATES = ['waiting', 'prioritized', 'active', 'delayed', 'failed'] as const;
type QueueDepth = Record<'waiting' | 'active' | 'delayed' | 'failed', number>;

/** BullMQ takes jobs without a priority first, then those with the lower number. */
const NOTICE_PRIORITY = 1;
const FORM_PRIORITY = 2;
/** Another service can cause any number of them. */
const MESSAGE_PRIORITY = 3;

const COMMON_OPTIONS = {
  removeOnComplete: true,
  removeOnFail: { age: 7 * 24 * 3_600, count: 1_000 },
  // Otherwise each attempt would add a stack trace to the job.
  stackTraceLimit: 0,
} as const;

/**
 * Eight attempts over about four minutes, with growing pauses (2 s, 4 s, 8 s, …) and jitter against
 * simultaneous retries. The relay then queues the mail again.
 */
const OUTBOX_OPTIONS = { attempts: 8, backoff: { type: 'exponential', delay: 2_000, jitter: 0.3 } } as const;

/**
 * An attempt about every 8 s for at least 15 minutes, as long as a code is valid: these mails are only in the
 * queue.
 */
const QUEUE_ONLY_OPTIONS = { attempts: 130, backoff: { type: 'fixed', delay: 10_000, jitter: 0.3 } } as const;

const toPriority = (mail: Mail): Pick<JobsOptions, 'priority'> => {
  if (isCodeMail(mail)) return {};
  if (isServiceMessage(mail)) return { priority: MESSAGE_PRIORITY };
  return { priority: isFormMail(mail) ? FORM_PRIORITY : NOTICE_PRIORITY };
};

const toJobOptions = (id: string, { mail, inOutbox }: MailJob): JobsOptions => ({
  jobId: id,
  ...COMMON_OPTIONS,
  ...(inOutbox ? OUTBOX_OPTIONS : QUEUE_ONLY_OPTIONS),
  ...toPriority(mail),
});

const toSpanOptions = (mailId: string) => ({
  kind: SpanKind.PRODUCER,
  attributes: {
    'messaging.system': 'bullmq',
    'messaging.operation.name': 'send',
    'messaging.operation.type': 'send',
    'messaging.destination.name': MAIL_QUEUE,
    'messaging.message.id': mailId,
  },
});

const openQueue = (redis: RedisClient) => {
  const queue = new Queue<SealedMailJob, void, string>(MAIL_QUEUE, {
    connection: redis,
    // Both would wait for Redis, and leave the queue unusable if Redis is unavailable at start-up.
    skipWaitingForReady: true,
    skipVersionCheck: true,
  });
  // An 'error' event without a listener would end the process. The connection logs its errors itself.
  queue.on('error', () => undefined);
  return queue;
};

/**
 * Queues mails for the worker, encrypted. Fails immediately if Redis is unavailable.
 * @param waitForReplica called after each mail is added
 */
export const createMailQueue = (
  redis: RedisClient,
  cipher: MailCipher,
  waitForReplica?: () => Promise<void>,
) => {
  const mails = openQueue(redis);

  return {
    /** Does nothing if a job with this id is already queued. @throws AppError 503 */
    add: async (id: string, job: MailJob): Promise<void> => {
      if (!redis.isReady) throw unavailable('Mail queue unavailable; retry later.');
      await withSpan('send mail', toSpanOptions(id), async () => {
        const { askedAt = new Date().toISOString() } = job;
        const traceparent = currentTraceparent();
        const data = sealMailJob({ ...job, askedAt, ...(traceparent && { traceparent }) }, cipher);
        await withRedisTimeout(mails.add(job.mail.template, data, toJobOptions(id, job)));
        await waitForReplica?.();
      });
    },
    /** The ids of mails that are waiting, being sent or to be retried. @throws AppError 503 */
    listIds: async (): Promise<Set<string>> =>
      new Set(await withRedisTimeout(mails.getRanges(['wait', 'prioritized', 'active', 'delayed'], 0, -1))),
    /** Does nothing for a mail that is being sent or is not in the queue. @throws AppError 503 */
    remove: async (id: string): Promise<void> => {
      await withRedisTimeout(mails.remove(id));
    },
    depth: async (): Promise<QueueDepth> => {
      if (!redis.isReady) throw unavailable('Mail queue unavailable; retry later.');
      const counts = await withRedisTimeout(mails.getJobCounts(...STATES));
      const { waiting = 0, prioritized = 0, active = 0, delayed = 0, failed = 0 } = counts;
      return { waiting: waiting + prioritized, active, delayed, failed };
    },
    /** Only codes wait without a priority. @throws AppError 503 */
    countWaitingCodes: (): Promise<number> => withRedisTimeout(mails.getWaitingCount()),
    /**
     * Stops workers from taking mails for a time; mails that are being sent are not affected. @throws
     * AppError 503
     */
    pause: (milliseconds: number): Promise<void> => withRedisTimeout(mails.rateLimit(milliseconds)),
    isReady: () => redis.isReady,
    close: () => mails.close(),
  };
};

export type MailQueue = ReturnType<typeof createMailQueue>;
