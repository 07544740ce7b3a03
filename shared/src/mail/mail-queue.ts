import { SpanKind } from '@opentelemetry/api';
import { Queue } from 'bullmq';
import { unavailable } from '../errors/app-error.ts';
import { type RedisClient, withRedisTimeout } from '../redis/redis.ts';
import { currentTraceparent, withSpan } from '../tracing/tracing.ts';
import type { MailJob } from './mail.ts';

export const MAIL_QUEUE = 'mail';
/** The worker's own: what it does at night. */
export const MAINTENANCE_QUEUE = 'maintenance';

/** What a mail is in until it is sent: then nothing of it is left. */
const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;

/** Eight tries over about four minutes: 2 s, 4 s, 8 s, … apart, spread so that many do not come back at once. */
const JOB_OPTIONS = {
  attempts: 8,
  backoff: { type: 'exponential', delay: 2_000, jitter: 0.3 },
  removeOnComplete: true,
  removeOnFail: { age: 7 * 24 * 3_600, count: 1_000 },
} as const;

/** Hands mails to the worker. With Redis away it refuses at once instead of waiting. */
export const createMailQueue = (redis: RedisClient) => {
  const queue = new Queue<MailJob, void, string>(MAIL_QUEUE, {
    connection: redis,
    // Both would wait for Redis, and fail for good when it is away at the start.
    skipWaitingForReady: true,
    skipVersionCheck: true,
  });
  // Without a listener an 'error' event ends the process; the connection reports its own errors.
  queue.on('error', () => undefined);

  return {
    /** An id that waits already is not added again. @throws AppError 503 */
    add: async (id: string, job: MailJob): Promise<void> => {
      if (!redis.isReady) throw unavailable('Mail cannot be queued right now');
      await withSpan('send mail', { kind: SpanKind.PRODUCER }, async () => {
        const { askedAt = new Date().toISOString() } = job;
        const traceparent = currentTraceparent();
        const noted = { ...job, askedAt, ...(traceparent && { traceparent }) };
        await withRedisTimeout(queue.add(job.mail.template, noted, { ...JOB_OPTIONS, jobId: id }));
      });
    },
    /** Gives a mail whose tries are used up one more. @throws AppError 503 */
    retryIfFailed: async (id: string): Promise<void> => {
      const job = await withRedisTimeout(queue.getJob(id));
      if (job && (await withRedisTimeout(job.isFailed()))) await withRedisTimeout(job.retry('failed'));
    },
    /** Jobs by state. @throws AppError 503 */
    depth: async (): Promise<Record<(typeof STATES)[number], number>> => {
      if (!redis.isReady) throw unavailable('The mail queue cannot be read right now');
      const counts = await withRedisTimeout(queue.getJobCounts(...STATES));
      return { waiting: 0, active: 0, delayed: 0, failed: 0, ...counts };
    },
    isReady: () => redis.isReady,
    close: () => queue.close(),
  };
};

export type MailQueue = ReturnType<typeof createMailQueue>;
