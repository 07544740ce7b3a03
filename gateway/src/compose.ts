import { readFileSync } from 'node:fs';
import type { ComposedService, Runtime } from '@platform/shared/http/serve';
import { createErrorLog } from '@platform/shared/log/repeated-errors';
import { connectRedis } from '@platform/shared/redis/redis';
import { createApp } from './app.ts';
import type { GatewayConfig } from './config.ts';
import { createNetworkShares } from './edge/network-share.ts';
import { createLimitFinder } from './edge/operation-limits.ts';
import { createRateLimits } from './edge/rate-limits.ts';
import { createBodyReader } from './edge/request-body.ts';
import { createGatewayMetrics } from './gateway-metrics.ts';
import { startDnsRefresh } from './proxy/dns-refresh.ts';
import { createProxy } from './proxy/proxy.ts';
import { createUpstreamAgent, createUpstreamPool } from './proxy/upstream-pool.ts';
import { checkUpstreamHealth, startReadinessReads } from './proxy/upstream-readiness.ts';

const DOCUMENT = new URL(import.meta.resolve('@platform/openapi/platform.json'));

export const compose = (config: GatewayConfig, { log, metrics }: Runtime): ComposedService => {
  const agent = createUpstreamAgent();
  const redis = config.redisUrl
    ? connectRedis(config.redisUrl, createErrorLog(log, 'redis connection lost'))
    : undefined;
  const auth = createUpstreamPool('auth-service', config.upstreamUrls['auth-service']);
  const admin = createUpstreamPool('admin-service', config.upstreamUrls['admin-service']);
  const readinessReads = [auth, admin].map((pool) => startReadinessReads(pool, log));
  const dnsRefreshes = [auth, admin].map((pool) => startDnsRefresh({ pool, log }));
  const gatewayMetrics = createGatewayMetrics(metrics);
  const timeoutMilliseconds = config.upstreamTimeoutSeconds * 1_000;
  const shares = createNetworkShares(gatewayMetrics);
  const proxyTo = createProxy({ agent, timeoutMilliseconds, shares, log, metrics: gatewayMetrics });
  const document = readFileSync(DOCUMENT);
  const rateLimits = createRateLimits({
    ...{ scale: config.rateLimitScale, redis, metrics: gatewayMetrics },
    findLimits: createLimitFinder(JSON.parse(document.toString())),
  });
  const readBody = createBodyReader(shares, gatewayMetrics);
  // These paths need no token, database or Redis. Redis itself is not checked: without it the rate limits are counted in
  // this process.
  const checks = {
    'auth-service': () => checkUpstreamHealth(auth.urls, '/api'),
    'admin-service': () => checkUpstreamHealth(admin.urls, '/api/v1'),
  };
  const proxies = { 'auth-service': proxyTo(auth), 'admin-service': proxyTo(admin) };

  return {
    app: (readiness) =>
      createApp({ config, log, metrics, readiness, rateLimits, document, readBody, proxies }),
    // All gateways share the services: unready because of one of them, they would stop serving the other one, too.
    checks: { upstreams: () => Promise.any([checks['auth-service'](), checks['admin-service']()]) },
    optionalChecks: checks,
    close: async () => {
      await Promise.all([...dnsRefreshes, ...readinessReads].map(({ stop }) => stop()));
      agent.destroy();
      redis?.destroy();
    },
  };
};
