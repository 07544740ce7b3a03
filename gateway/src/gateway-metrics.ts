import type { Metrics } from '@platform/shared/metrics/metrics';
import { LIMIT_NAMES } from './limits/requests-per-minute.ts';

export const createGatewayMetrics = (metrics: Metrics, upstreams: readonly string[]) => ({
  countUpstreamError: metrics.counter(
    'upstream_errors_total',
    'Requests without a complete upstream response',
    { upstream: upstreams, reason: ['unavailable', 'timeout', 'broken_off', 'abandoned'] },
  ),
  countEjection: metrics.counter('upstream_ejections_total', 'Ejections of an upstream instance', {
    upstream: upstreams,
  }),
  countRateLimited: metrics.counter(
    'rate_limit_rejections_total',
    'Requests rejected, and responses ended, by a limit per client network',
    { limit: [...LIMIT_NAMES, 'requests', 'bodies', 'responses'] },
  ),
});

export type GatewayMetrics = ReturnType<typeof createGatewayMetrics>;
