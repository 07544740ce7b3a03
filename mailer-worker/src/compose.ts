import { setTimeout as delay } from 'node:timers/promises';
import { rejectTestBench } from '@platform/shared/db/test-bench-mark';
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
export const compose = async (config: WorkerConfig, runtime: Runtime): Promise<ComposedService> => {
  const base = { ...createInfrastructure(config, runtime), config };
  await rejectTestBench(base.database, config.isProduction);
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
