import { type DatabasePool, query, registerDatabaseMetrics } from '@platform/shared/db/database';
import type { Metrics } from '@platform/shared/metrics/metrics';
import { NOTICE_TEMPLATES, TEMPLATE_LABELS, toTemplateLabel } from '@platform/shared/platform/mail/mail';
import type { MailQueue } from '@platform/shared/platform/mail/mail-queue';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import type { CleanupSchedule } from './cleanup/cleanup-schedule.ts';
import { RETAINED_TABLES } from './cleanup/expired-rows.ts';
import type { OutboxStore } from './outbox/outbox-store.ts';

const AGE_BUCKETS = [0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900, 3_600, 14_400];
const CLEANED_TABLES = ['token_records', 'totp_factors', 'failed_guesses', ...RETAINED_TABLES] as const;

/**
 * `rejected`: the mail server rejected the mail; no retry. `failed`: no retry for another reason. `retried`:
 * there will be another attempt. `deferred`: there will be one as soon as the mail server accepts mails
 * again.
 */
export type FailureOutcome = 'rejected' | 'failed' | 'retried' | 'deferred';

export const createMailMetrics = (metrics: Metrics) => {
  const observeAge = metrics.histogram(
    'mail_delivery_age_seconds',
    'Time from the request that caused a mail until the mail server accepted it',
    { template: TEMPLATE_LABELS },
    AGE_BUCKETS,
  );
  const countDelivery = metrics.counter(
    'mail_deliveries_total',
    'Attempts to send a mail by outcome: sent, retried, deferred until the mail server accepts mails, rejected ' +
      'by the mail server, or failed without a retry',
    {
      template: TEMPLATE_LABELS,
      outcome: ['sent', 'retried', 'deferred', 'rejected', 'failed'],
    },
  );
  return {
    countSent: (name: string, ageSeconds: number): void => {
      const template = toTemplateLabel(name);
      countDelivery({ template, outcome: 'sent' });
      // The clocks of two machines may differ.
      observeAge({ template }, Math.max(0, ageSeconds));
    },
    countFailure: (name: string | undefined, outcome: FailureOutcome): void =>
      countDelivery({ template: toTemplateLabel(name), outcome }),
    countDropped: metrics.counter(
      'mail_notices_dropped_total',
      'Notices that were not sent, because the user or recipient already received ten within an hour',
      { template: NOTICE_TEMPLATES },
    ),
  };
};

export type MailMetrics = ReturnType<typeof createMailMetrics>;

/** The last success of any worker is stored in Redis, so it survives restarts. */
export const createCleanupMetrics = (metrics: Metrics) => ({
  countDeleted: metrics.counter('cleanup_deleted_rows_total', 'Rows deleted by the cleanup', {
    table: CLEANED_TABLES,
  }),
  registerLastSuccess: ({ lastSuccess }: CleanupSchedule): void =>
    metrics.gauge(
      'cleanup_last_success_timestamp_seconds',
      'Time of the last successful cleanup of any worker; absent before the first',
      lastSuccess,
    ),
});

export type CleanupMetrics = ReturnType<typeof createCleanupMetrics>;

/** Takes a few milliseconds, because Postgres adds up the sizes of the files. */
const readDatabaseSize = async ({ database }: DatabasePool): Promise<number | undefined> => {
  const text = 'select pg_database_size(current_database())::float8 as bytes';
  const [size] = await query<{ bytes: number }>(database, { name: 'database-size', text, values: [] });
  return size?.bytes;
};

/** INFO works for accounts that may not read the configuration; `max` is 0 if there is no limit. */
const readRedisMemory = async (redis: RedisClient): Promise<{ used: number; max: number } | undefined> => {
  if (!redis.isReady) return undefined;
  const info = await redis.info('memory');
  const read = (field: string) => Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  return { used: read('used_memory'), max: read('maxmemory') };
};

type MetricSources = { pool: DatabasePool; outbox: OutboxStore; queue: MailQueue; redis: RedisClient };

export const registerWorkerMetrics = (
  metrics: Metrics,
  { pool, outbox, queue, redis }: MetricSources,
): void => {
  registerDatabaseMetrics(metrics, pool);
  metrics.gauge('database_size_bytes', 'Size of the database on disk', () => readDatabaseSize(pool));
  metrics.labeledGauge('redis_memory_bytes', 'Memory of Redis: used, and max or 0', 'state', () =>
    readRedisMemory(redis),
  );
  metrics.labeledGauge('mail_outbox_rows', 'Mails in the outbox by state', 'state', outbox.countRows);
  metrics.gauge(
    'mail_outbox_oldest_age_seconds',
    'Age of the oldest pending mail in the outbox; 0 when there is none',
    outbox.getOldestAge,
  );
  metrics.labeledGauge('mail_queue_jobs', 'Mails in the queue by state', 'state', queue.depth);
};
