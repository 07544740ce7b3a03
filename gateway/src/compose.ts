import { createErrorLog } from '@platform/shared/log/repeated-errors';
import { loadPlatformDocument } from '@platform/shared/openapi/join-documents';
import { connectRedis } from '@platform/shared/redis/redis';
import type { ComposedService, Runtime } from '@platform/shared/server/serve';
import { createApp } from './app.ts';
import type { GatewayConfig } from './config.ts';
import { requireMatchingPaths } from './limits/kill-switches.ts';
import { createLimitMetrics } from './limits/limit-metrics.ts';
import { createShareFinder } from './limits/network-share.ts';
import { createOperationFinder, createOperationSearch } from './limits/operation-limits.ts';
import { createRateLimits } from './limits/rate-limits.ts';
import { createBodyReader } from './limits/request-body.ts';
import { servePages } from './pages/pages.ts';
import { startDnsRefresh } from './proxy/dns-refresh.ts';
import { createProxy } from './proxy/proxy.ts';
import { createStaleFilter } from './proxy/stale-requests.ts';
import { createUpstreamMetrics } from './proxy/upstream-metrics.ts';
import { createUpstreamAgent, createUpstreamPool, MAX_UPSTREAM_CONNECTIONS } from './proxy/upstream-pool.ts';
import { checkUpstreamHealth, startReadinessReads } from './proxy/upstream-readiness.ts';
import { createUpstreamFinder } from './upstreams.ts';

/** Holds what the requests need of the document, because the document as an object takes some megabytes. */
const loadContract = async () => {
  const document = await loadPlatformDocument(
    new URL(import.meta.resolve('@platform/openapi/auth.yaml')),
    new URL(import.meta.resolve('@platform/openapi/admin.yaml')),
  );
  return {
    document: Buffer.from(`${JSON.stringify(document, undefined, 2)}\n`),
    hasOperation: createOperationSearch(document),
    findOperation: createOperationFinder(document),
  };
};
const { document, hasOperation, findOperation } = await loadContract();

/** @throws ConfigError if a page was not built, or a blocked path does not exist */
export const compose = (config: GatewayConfig, { log, metrics }: Runtime): ComposedService => {
  // First, because they may fail.
  const pages = servePages(config.pages);
  requireMatchingPaths(config.blockedPaths, { hasOperation, upstreams: config.upstreams });
  const agent = createUpstreamAgent();
  const redis = config.redisUrl
    ? connectRedis(config.redisUrl, createErrorLog(log, 'redis connection lost'))
    : undefined;
  const limitMetrics = createLimitMetrics(metrics);
  const upstreamMetrics = createUpstreamMetrics(
    metrics,
    config.upstreams.map(({ name }) => name),
  );
  const findShares = createShareFinder({ metrics: limitMetrics, connections: MAX_UPSTREAM_CONNECTIONS });
  const targets = config.upstreams.map((upstream) => {
    const pool = createUpstreamPool(upstream.name, upstream.urls, { hasReadiness: upstream.isPlatform });
    return { upstream, pool, shares: findShares(upstream) };
  });
  const ownShares = findShares({ isPlatform: true });
  const platform = targets.filter(({ upstream }) => upstream.isPlatform);
  const background = [
    ...targets.map(({ pool }) => startDnsRefresh({ pool, log })),
    ...platform.map(({ pool }) => startReadinessReads(pool, log)),
  ];
  const timeoutMilliseconds = config.upstreamTimeoutSeconds * 1_000;
  const staleFilter = createStaleFilter(timeoutMilliseconds, log);
  const proxyTo = createProxy({ agent, timeoutMilliseconds, log, metrics: upstreamMetrics });
  const rateLimits = createRateLimits({
    scale: config.rateLimitScale,
    redis,
    metrics: limitMetrics,
    findOperation,
  });
  const forwarding = new Map(
    targets.map((target) => [
      target.upstream.name,
      { readBody: createBodyReader(target.shares, limitMetrics), proxy: proxyTo(target) },
    ]),
  );
  // Redis is not checked, because without it the rate limits are counted in this process.
  const checkTarget = ({ pool, upstream }: (typeof targets)[number]) =>
    checkUpstreamHealth(pool.urls, upstream.healthPath);
  const findUpstream = createUpstreamFinder(config.upstreams);

  return {
    app: (readiness) =>
      createApp({
        ...{ config, log, metrics, readiness, rateLimits, limitMetrics, ownShares },
        ...{ document, pages, findUpstream, forwarding, staleFilter },
      }),
    // All gateways share the services. If one service made them unready, they would stop serving the others,
    // too.
    checks: { upstreams: () => Promise.any(platform.map(checkTarget)) },
    optionalChecks: Object.fromEntries(
      targets.map((target) => [target.upstream.name, () => checkTarget(target)]),
    ),
    close: async () => {
      await Promise.all(background.map(({ stop }) => stop()));
      staleFilter.stop();
      agent.destroy();
      redis?.destroy();
    },
  };
};
