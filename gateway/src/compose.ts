import type { ComposedService, Runtime } from '@platform/shared/http/serve';
import { connectRedis } from '@platform/shared/redis/redis';
import { createApp } from './app.ts';
import type { GatewayConfig } from './config.ts';
import { createLimits } from './edge/rate-limits.ts';
import { createGatewayMetrics } from './gateway-metrics.ts';
import { followAddresses } from './proxy/dns-refresh.ts';
import { createProxy } from './proxy/proxy.ts';
import { checkReachable } from './proxy/upstream-health.ts';
import { createInstances, createUpstreamAgent } from './proxy/upstream-pool.ts';

/** Wires the gateway; `close` lets go of the connections to the services. */
export const compose = (config: GatewayConfig, runtime: Runtime): ComposedService => {
  const agent = createUpstreamAgent();
  const redis = config.redisUrl
    ? connectRedis(config.redisUrl, (error) => runtime.log.warn({ err: error }, 'redis connection lost'))
    : undefined;
  const limits = createLimits(config.rateLimitScale, redis);
  const auth = createInstances('auth-service', config.upstreamUrls['auth-service']);
  const admin = createInstances('admin-service', config.upstreamUrls['admin-service']);
  const gatewayMetrics = createGatewayMetrics(runtime.metrics);
  const following = [auth, admin].map((instances) => followAddresses({ instances, log: runtime.log }));
  const forwardTo = createProxy({
    agent,
    timeoutMilliseconds: config.upstreamTimeoutSeconds * 1_000,
    log: runtime.log,
    metrics: gatewayMetrics,
  });

  return {
    app: (readiness) =>
      createApp({
        config,
        runtime,
        readiness,
        limits,
        gatewayMetrics,
        forwardTo: { 'auth-service': forwardTo(auth), 'admin-service': forwardTo(admin) },
      }),
    // Each path is answered without a token, a database or Redis. Redis is not asked for: without it the limits hold in
    // this process, and a gateway that turned unready would take the platform down with it.
    checks: {
      'auth-service': () => checkReachable(auth.urls, '/api'),
      'admin-service': () => checkReachable(admin.urls, '/api/v1'),
    },
    close: async () => {
      for (const { stop } of following) stop();
      agent.destroy();
      redis?.destroy();
    },
  };
};
