import type { Metrics } from '@platform/shared/metrics/metrics';

export const createUpstreamMetrics = (metrics: Metrics, upstreams: readonly string[]) => ({
  countUpstreamError: metrics.counter(
    'upstream_errors_total',
    'Requests without a complete upstream response',
    { upstream: upstreams, reason: ['unavailable', 'timeout', 'broken_off', 'abandoned'] },
  ),
  countEjection: metrics.counter('upstream_ejections_total', 'Ejections of an upstream instance', {
    upstream: upstreams,
  }),
});

export type UpstreamMetrics = ReturnType<typeof createUpstreamMetrics>;
