import type { Metrics } from '@platform/shared/metrics/metrics';
import { LIMIT_NAMES } from './requests-per-minute.ts';

export const createLimitMetrics = (metrics: Metrics) => ({
  countRateLimited: metrics.counter(
    'rate_limit_rejections_total',
    'Requests rejected, and responses ended, by a limit per client network',
    { limit: [...LIMIT_NAMES, 'requests', 'bodies', 'responses', 'blocked'] },
  ),
});

export type LimitMetrics = ReturnType<typeof createLimitMetrics>;
