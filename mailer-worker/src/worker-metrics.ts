import { type DatabasePool, registerDatabaseMetrics } from '@platform/shared/db/database';
import { TEMPLATES, toTemplateLabel } from '@platform/shared/mail/mail';
import type { MailQueue } from '@platform/shared/mail/mail-queue';
import type { Metrics } from '@platform/shared/metrics/metrics';
import type { CleanupSchedule } from './cleanup/cleanup-schedule.ts';
import type { OldRowsTable } from './cleanup/remove-rows.ts';
import type { OutboxStore } from './outbox/outbox-store.ts';

const AGES = [0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900, 3_600, 14_400];
const CLEANED_TABLES = [
  'token_records',
  'sessions',
  'audit_records',
  'lead_requests',
  'support_requests',
  'mail_outbox',
] as const satisfies ('token_records' | OldRowsTable)[];
const SENT_TEMPLATES = [...TEMPLATES.filter((template) => template !== 'decoy'), 'unknown'] as const;

/** How the mails fare: as they are sent, and as they wait. */
export const createMailMetrics = (metrics: Metrics) => {
  const observeAge = metrics.histogram(
    'mail_delivery_age_seconds',
    'Time from the request that caused a mail until the mail server took it',
    { template: SENT_TEMPLATES },
    AGES,
  );
  const count = metrics.counter('mail_deliveries_total', 'Tries to send a mail by how they ended', {
    template: SENT_TEMPLATES,
    outcome: ['sent', 'retried', 'failed'],
  });
  const labelOf = (name: unknown) => toTemplateLabel(name) as (typeof SENT_TEMPLATES)[number];
  return {
    sent: (template: string, ageSeconds: number): void => {
      count({ template: labelOf(template), outcome: 'sent' });
      // Two machines' clocks may differ.
      observeAge({ template: labelOf(template) }, Math.max(0, ageSeconds));
    },
    notSent: (template: string | undefined, isFinal: boolean): void =>
      count({ template: labelOf(template), outcome: isFinal ? 'failed' : 'retried' }),
  };
};

type Waiting = { outbox: OutboxStore; queue: MailQueue };

export const measureWaitingMails = (metrics: Metrics, { outbox, queue }: Waiting): void => {
  metrics.labeledGauge(
    'mail_outbox_rows',
    'Mails in the outbox: still to be sent, or given up',
    'state',
    async () => {
      const { waiting, failed } = await outbox.readBacklog();
      return { waiting, failed };
    },
  );
  metrics.gauge(
    'mail_outbox_oldest_age_seconds',
    'For how long the oldest mail in the outbox has waited; 0 when none does',
    async () => (await outbox.readBacklog()).oldestSeconds,
  );
  metrics.labeledGauge('mail_queue_jobs', 'Mails in the queue', 'state', queue.depth);
};

/** The runs of this process, and the last good one of any, which is read from Redis and outlives a restart. */
export const createCleanupMetrics = (metrics: Metrics) => {
  const countRun = metrics.counter('cleanup_runs_total', 'Clean-ups by how they ended', {
    outcome: ['success', 'failure'],
  });
  const countRemoved = metrics.counter('cleanup_removed_rows_total', 'Rows that the clean-up removed', {
    table: CLEANED_TABLES,
  });
  return {
    removed: (table: (typeof CLEANED_TABLES)[number], rows: number): void => countRemoved({ table }, rows),
    ran: (outcome: 'success' | 'failure'): void => countRun({ outcome }),
    measureLast: ({ lastSuccess }: CleanupSchedule): void =>
      metrics.gauge(
        'cleanup_last_success_timestamp_seconds',
        'When a clean-up last ended well, on any worker; absent before the first',
        lastSuccess,
      ),
  };
};

export type CleanupMetrics = ReturnType<typeof createCleanupMetrics>;

export const measureWorker = (
  metrics: Metrics,
  { database, ...waiting }: Waiting & { database: DatabasePool },
): void => {
  registerDatabaseMetrics(metrics, database);
  measureWaitingMails(metrics, waiting);
};
