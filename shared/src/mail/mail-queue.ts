import { SpanKind } from '@opentelemetry/api';
import { Queue } from 'bullmq';
import { unavailable } from '../errors/app-error.ts';
import { withRedisTimeout } from '../redis/redis.ts';
import type { QueueRedisClient } from '../redis/redis-client.ts';
import { currentTraceparent, withSpan } from '../tracing/tracing.ts';
import type { MailJob } from './mail.ts';

export const MAIL_QUEUE = 'mail';
/** Scheduled jobs of the worker. */
export const MAINTENANCE_QUEUE = 'maintenance';

/** The states of an unsent mail; the job of a sent one is removed. */
const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

/** Eight attempts over about four minutes: 2 s, 4 s, 8 s, … apart, with jitter against simultaneous retries. */
const JOB_OPTIONS = {
  attempts: 8,
  backoff: { type: 'exponential', delay: 2_000, jitter: 0.3 },
  removeOnComplete: true,
  removeOnFail: { age: 7 * 24 * 3_600, count: 1_000 },
} as const;

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

/**
 * Queues mails for the worker. Fails immediately when Redis is unavailable.
 * @param waitForReplica called after each mail is added
 */
export const createMailQueue = (redis: QueueRedisClient, waitForReplica?: () => Promise<void>) => {
  const queue = new Queue<MailJob, void, string>(MAIL_QUEUE, {
    connection: redis,
    // Both would wait for Redis, and leave the queue unusable when it is unavailable at start-up.
    skipWaitingForReady: true,
    skipVersionCheck: true,
  });
  // An 'error' event without a listener ends the process; the connection logs its errors itself.
  queue.on('error', () => undefined);

  return {
    /** Does nothing when a job with this id is queued already. @throws AppError 503 */
    add: async (id: string, job: MailJob): Promise<void> => {
      if (!redis.isReady) throw unavailable('Mail queue unavailable; retry later.');
      await withSpan('send mail', toSpanOptions(id), async () => {
        const { askedAt = new Date().toISOString() } = job;
        const traceparent = currentTraceparent();
        const data = { ...job, askedAt, ...(traceparent && { traceparent }) };
        await withRedisTimeout(queue.add(job.mail.template, data, { ...JOB_OPTIONS, jobId: id }));
        await waitForReplica?.();
      });
    },
    /** Retries a job that has used all attempts. @throws AppError 503 */
    retryIfFailed: async (id: string): Promise<void> => {
      const job = await withRedisTimeout(queue.getJob(id));
      if (job && (await withRedisTimeout(job.isFailed()))) await withRedisTimeout(job.retry('failed'));
    },
    /** Jobs by state. @throws AppError 503 */
    depth: async (): Promise<Record<(typeof STATES)[number], number>> => {
      if (!redis.isReady) throw unavailable('Mail queue unavailable; retry later.');
      const counts = await withRedisTimeout(queue.getJobCounts(...STATES));
      return { waiting: 0, active: 0, delayed: 0, failed: 0, ...counts };
    },
    isReady: () => redis.isReady,
    close: () => queue.close(),
  };
};

export type MailQueue = ReturnType<typeof createMailQueue>;
