import { setTimeout as delay } from 'node:timers/promises';
import type { ComposedService, Runtime } from '@platform/shared/server/serve';
import { createCleanupFeature } from './cleanup/cleanup-feature.ts';
import type { WorkerConfig } from './config.ts';
import { createDeliveryFeature } from './delivery/delivery-feature.ts';
import { createInfrastructure } from './infrastructure.ts';
import { createOutboxFeature } from './outbox/outbox-feature.ts';
import { createStatisticsFeature } from './statistics/statistics-feature.ts';

/** Long enough to finish the current mails, and shorter than SHUTDOWN_SECONDS. */
const CLOSE_TIMEOUT_MILLISECONDS = 10_000;

/** Creates the infrastructure, then the features. Each one starts its jobs. */
export const compose = (config: WorkerConfig, runtime: Runtime): ComposedService => {
  const base = { ...createInfrastructure(config, runtime), config };
  const outbox = createOutboxFeature(base);
  const delivery = createDeliveryFeature(base, { outbox });
  const cleanup = createCleanupFeature(base);
  const statistics = createStatisticsFeature(base);

  return {
    checks: base.checks,
    optionalChecks: base.optionalChecks,
    close: async () => {
      await Promise.all([outbox.stop(), cleanup.stopChecks()]);
      // After the timeout, another worker takes over the jobs.
      const timeout = delay(CLOSE_TIMEOUT_MILLISECONDS, undefined, { ref: false });
      await Promise.race([Promise.all([delivery.stop(), cleanup.stop(), statistics.stop()]), timeout]);
      delivery.disconnect();
      await base.close();
    },
  };
};
