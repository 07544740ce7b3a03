import type { KindNames } from '@platform/shared/config/appearance';
import type { Secret } from '@platform/shared/config/secrets';
import { createInvitationCipher } from '@platform/shared/platform/codes/invitation-code';
import type { Base } from '../infrastructure.ts';
import type { OutboxFeature } from '../outbox/outbox-feature.ts';
import type { MailPages } from '../templates/mail-links.ts';
import type { MailAppearance } from '../templates/mail-style.ts';
import { createMailRenderer } from '../templates/mail-templates.ts';
import { createCodeRecorder } from './code-records-store.ts';
import { createMailDelivery } from './deliver-mail.ts';
import { startMailWorker } from './mail-worker.ts';
import { createNoticeLimit } from './notice-limit.ts';
import { createSmtpTransport, type SmtpSettings } from './smtp-transport.ts';

type Config = {
  smtp: SmtpSettings;
  productName: string;
  kindNames: KindNames;
  support: string | undefined;
  codeInSubject: boolean;
  appearance: MailAppearance;
  /** The page that takes the code of an invitation, if there is one. */
  pages: MailPages;
  codeSecret: Secret;
  mailConcurrency: number;
  mailRatePerSecond: number;
};

/** Starts to send the mails of the queue. */
export const createDeliveryFeature = (base: Base<Config>, { outbox }: { outbox: OutboxFeature }) => {
  const { config, metrics, mailMetrics, queue } = base;
  metrics.labeledGauge('mail_queue_jobs', 'Mails in the queue by state', 'state', queue.depth);
  const transport = createSmtpTransport(config.smtp);
  const deliver = createMailDelivery({
    ...base,
    ...outbox,
    transport,
    recordCode: createCodeRecorder(base.database, base.onError),
    isWithinLimit: createNoticeLimit(base.redis, config.codeSecret),
    render: createMailRenderer({
      product: config.productName,
      kindNames: config.kindNames,
      support: config.support,
      codeInSubject: config.codeInSubject,
      appearance: config.appearance,
      pages: config.pages,
      openCode: createInvitationCipher(config.codeSecret).decrypt,
    }),
    metrics: mailMetrics,
  });
  const worker = startMailWorker({
    redis: base.blockingRedis,
    concurrency: config.mailConcurrency,
    ratePerSecond: config.mailRatePerSecond,
    deliver,
    countWaitingCodes: queue.countWaitingCodes,
    pauseQueue: queue.pause,
    onError: base.onError,
    onFailure: mailMetrics.reportFailure,
  });
  return {
    /** Finishes the current mails, and never ends while Redis is frozen. */
    stop: worker.close,
    disconnect: transport.close,
  };
};
