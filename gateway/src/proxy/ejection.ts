import type { IncomingMessage } from 'node:http';
import type { Log } from '@platform/shared/log/log';
import type { GatewayMetrics } from '../gateway-metrics.ts';
import type { ProxiedRequest } from './proxied-request.ts';

/** A service closes its connections when it is shutting down; requests should go to its other instances. */
const isShuttingDown = ({ headers }: IncomingMessage): boolean => headers.connection === 'close';

/** Ejects instances by the responses and errors of their requests; logs and counts it. */
export const createEjection = (log: Log, metrics: GatewayMetrics) => {
  const eject = (
    { pool, instance }: ProxiedRequest,
    method: 'eject' | 'recordFailure',
    reason: string | number,
  ): void => {
    const milliseconds = instance ? pool[method](instance) : 0;
    if (milliseconds === 0) return;
    metrics.countEjection({ upstream: pool.name });
    const seconds = milliseconds / 1_000;
    log.warn({ upstream: pool.name, url: instance?.url, reason, seconds }, 'upstream instance ejected');
  };

  const recordResponse = (proxiedRequest: ProxiedRequest, upstreamResponse: IncomingMessage): void => {
    const { pool, instance } = proxiedRequest;
    const { statusCode = 502 } = upstreamResponse;
    if (instance && statusCode < 500) pool.recordSuccess(instance);
    else eject(proxiedRequest, 'recordFailure', statusCode);
    if (isShuttingDown(upstreamResponse)) eject(proxiedRequest, 'eject', 'shutting down');
  };

  return { eject, recordResponse };
};
