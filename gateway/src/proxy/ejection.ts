import type { IncomingMessage } from 'node:http';
import type { Log } from '@platform/shared/log/log';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import type { Cause, Outcome } from './avoidance.ts';
import type { ProxiedRequest } from './proxied-request.ts';

const FAILED_STATUSES: ReadonlySet<number> = new Set([500, 502, 504]);

/** The services' own 503 has Retry-After; without one, something in front of the instance made it. */
const toOutcome = ({ statusCode = 502, headers }: IncomingMessage): Outcome => {
  if (statusCode === 503) return headers['retry-after'] === undefined ? 'failed' : 'busy';
  return FAILED_STATUSES.has(statusCode) ? 'failed' : 'answered';
};

/** A service closes its connections when it is shutting down; requests should go to its other instances. */
const isShuttingDown = ({ headers }: IncomingMessage): boolean => headers.connection === 'close';

/** Ejects instances by the responses and errors of their requests; logs and counts it. */
export const createEjection = (log: Log, metrics: GatewayMetrics) => {
  const recordOutcome = (
    { pool, instance }: ProxiedRequest,
    cause: Cause,
    outcome: Outcome,
    reason: string | number,
  ): void => {
    const milliseconds = instance ? pool.record(instance, cause, outcome) : 0;
    if (milliseconds === 0) return;
    metrics.countEjection({ upstream: pool.name, cause });
    const seconds = milliseconds / 1_000;
    log.warn(
      { upstream: pool.name, url: instance?.url, cause, reason, seconds },
      'upstream instance ejected',
    );
  };

  return {
    recordError: (proxiedRequest: ProxiedRequest, reason: string, isSent = true): void =>
      recordOutcome(proxiedRequest, 'connection', isSent ? 'failed' : 'refused', reason),
    recordResponse: (proxiedRequest: ProxiedRequest, upstreamResponse: IncomingMessage): void => {
      const { statusCode = 502 } = upstreamResponse;
      recordOutcome(proxiedRequest, proxiedRequest.group, toOutcome(upstreamResponse), statusCode);
      if (isShuttingDown(upstreamResponse))
        recordOutcome(proxiedRequest, 'connection', 'refused', 'shutting down');
      else recordOutcome(proxiedRequest, 'connection', 'answered', statusCode);
    },
  };
};
