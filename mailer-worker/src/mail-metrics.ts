import type { Log } from '@platform/shared/log/log';
import type { Metrics } from '@platform/shared/metrics/metrics';
import {
  type Mail,
  NOTICE_TEMPLATES,
  TEMPLATE_LABELS,
  toTemplateLabel,
} from '@platform/shared/platform/mail/mail';

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

type ServiceMails = { sent: number; failed: number };

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
  const byCaller = new Map<string, ServiceMails>();
  /** The worker does not know the names of the services before their first mail. */
  const countServiceMail = (mail: Mail, outcome: keyof ServiceMails): void => {
    if (mail.template !== 'service-message') return;
    const counts = byCaller.get(mail.service) ?? { sent: 0, failed: 0 };
    byCaller.set(mail.service, { ...counts, [outcome]: counts[outcome] + 1 });
  };
  metrics.sampledGauge(
    'service_mail_deliveries',
    'Mails of other services since the start of the process that were sent, or failed without a retry',
    ['caller', 'outcome'],
    () =>
      [...byCaller].flatMap(([caller, counts]) =>
        Object.entries(counts).map(([outcome, value]) => ({ labels: { caller, outcome }, value })),
      ),
  );
  return {
    countSent: (mail: Mail, ageSeconds: number): void => {
      const template = toTemplateLabel(mail.template);
      countDelivery({ template, outcome: 'sent' });
      countServiceMail(mail, 'sent');
      // The clocks of two machines may differ.
      observeAge({ template }, Math.max(0, ageSeconds));
    },
    countDropped: metrics.counter(
      'mail_notices_dropped_total',
      'Notices that were not sent, because the user or recipient already received ten within an hour',
      { template: NOTICE_TEMPLATES },
    ),
    countServiceFailure: (mail: Mail): void => countServiceMail(mail, 'failed'),
    /** Counts and logs the failure. */
    reportFailure: (failure: MailFailure): void => {
      countDelivery({ template: toTemplateLabel(failure.template), outcome: failure.outcome });
      log.warn(failure, 'mail not sent');
    },
  };
};

export type MailMetrics = ReturnType<typeof createMailMetrics>;
