import { runPeriodically } from '@platform/shared/async/tasks';
import type { Infrastructure } from '../infrastructure.ts';
import { createOutboxRelay } from './outbox-relay.ts';
import { createOutboxStore } from './outbox-store.ts';

const RELAY_INTERVAL_MILLISECONDS = 500;
const RELEASE_INTERVAL_MILLISECONDS = 2_000;

/** Starts to relay the mails of the outbox. */
export const createOutboxFeature = ({ database, queue, metrics, mailMetrics, onError }: Infrastructure) => {
  const outbox = createOutboxStore(database);
  metrics.labeledGauge('mail_outbox_rows', 'Mails in the outbox by state', 'state', outbox.countRows);
  metrics.gauge(
    'mail_outbox_oldest_age_seconds',
    'Age of the oldest pending mail in the outbox; 0 when there is none',
    outbox.getOldestAge,
  );
  const { relay, releaseLost } = createOutboxRelay({ outbox, queue, onFailure: mailMetrics.reportFailure });
  const relaying = runPeriodically(relay, { intervalMilliseconds: RELAY_INTERVAL_MILLISECONDS, onError });
  const releasing = runPeriodically(releaseLost, {
    intervalMilliseconds: RELEASE_INTERVAL_MILLISECONDS,
    onError,
  });
  return {
    outbox,
    stop: async () => {
      await Promise.all([relaying.stop(), releasing.stop()]);
    },
  };
};

export type OutboxFeature = ReturnType<typeof createOutboxFeature>;
