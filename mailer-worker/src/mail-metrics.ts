import type { Log } from '@platform/shared/log/log';
import type { Metrics } from '@platform/shared/metrics/metrics';
import { NOTICE_TEMPLATES, TEMPLATE_LABELS, toTemplateLabel } from '@platform/shared/platform/mail/mail';

const AGE_BUCKETS = [0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900, 3_600, 14_400];

/**
 * `rejected`: the mail server rejected the mail; no retry. `failed`: no retry for another reason. `retried`:
 * there will be another attempt. `deferred`: there will be one as soon as the mail server accepts mails
 * again.
 */
export type FailureOutcome = 'rejected' | 'failed' | 'retried' | 'deferred';

export type MailFailure = {
  mailId: string | undefined;
  template?: string | undefined;
  attempt?: number | undefined;
  outcome: FailureOutcome;
  reason: string;
  requestId: string | undefined;
  traceId: string | undefined;
};

export const createMailMetrics = (metrics: Metrics, log: Pick<Log, 'warn'>) => {
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
    countDropped: metrics.counter(
      'mail_notices_dropped_total',
      'Notices that were not sent, because the user or recipient already received ten within an hour',
      { template: NOTICE_TEMPLATES },
    ),
    /** Counts and logs the failure. */
    reportFailure: (failure: MailFailure): void => {
      countDelivery({ template: toTemplateLabel(failure.template), outcome: failure.outcome });
      log.warn(failure, 'mail not sent');
    },
  };
};

export type MailMetrics = ReturnType<typeof createMailMetrics>;
