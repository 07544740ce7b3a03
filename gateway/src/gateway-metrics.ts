import { AppError } from '@platform/shared/errors/app-error';
import type { Metrics } from '@platform/shared/metrics/metrics';
import type { ErrorRequestHandler } from 'express';
import { LIMITS } from './edge/rate-limits.ts';
import { UPSTREAMS, type UpstreamName } from './upstreams.ts';

const REASONS = {
  UPSTREAM_UNAVAILABLE: 'unavailable',
  UPSTREAM_TIMEOUT: 'timeout',
} as const satisfies Record<string, string>;

const isUpstreamError = (code: string): code is keyof typeof REASONS => Object.hasOwn(REASONS, code);

/** What goes wrong between the callers and the services. */
export const createGatewayMetrics = (metrics: Metrics) => {
  const countError = metrics.counter(
    'upstream_errors_total',
    'Requests that a service left without an answer',
    {
      upstream: UPSTREAMS,
      reason: ['unavailable', 'timeout', 'broken_off'],
    },
  );
  const countLeftOut = metrics.counter(
    'upstream_left_out_total',
    'Times an instance was left out for a second',
    {
      upstream: UPSTREAMS,
    },
  );
  const countRefusal = metrics.counter(
    'rate_limit_refusals_total',
    'Requests refused by a limit per address',
    { limit: [...LIMITS, 'bodies'] },
  );

  /** Counts what the error says, and passes it on. */
  const countErrors: ErrorRequestHandler = (error, _req, res, next) => {
    const { route, exceededLimit } = res.locals;
    if (error instanceof AppError && isUpstreamError(error.code))
      countError({ upstream: route, reason: REASONS[error.code] });
    else if (error instanceof AppError && error.code === 'RATE_LIMITED')
      countRefusal({ limit: exceededLimit });
    next(error);
  };

  return {
    countErrors,
    brokenOff: (upstream: UpstreamName): void => countError({ upstream, reason: 'broken_off' }),
    leftOut: (upstream: UpstreamName): void => countLeftOut({ upstream }),
  };
};

export type GatewayMetrics = ReturnType<typeof createGatewayMetrics>;
