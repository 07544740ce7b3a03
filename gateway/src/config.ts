import { originList, redisUrl } from '@platform/shared/config/addresses';
import {
  ConfigError,
  type Environment,
  integer,
  port,
  positiveNumber,
  readEnvironment,
  text,
} from '@platform/shared/config/env';
import { processVariables, toProcessConfig } from '@platform/shared/config/process-variables';
import { createHostCheck } from '@platform/shared/network/known-hosts';
import { networkList, pathPrefixList } from './limits/kill-switches.ts';
import type { AllowedOrigins } from './origins.ts';
import { pageVariables, readPageSettings } from './pages/page-settings.ts';
import { readProviderLogos } from './pages/provider-logos.ts';
import { createSecurityHeaders, HSTS } from './security-headers.ts';
import { readServices, urlList } from './service-settings.ts';
import { createUpstreams } from './upstreams.ts';

const isProduction = ({ NODE_ENV }: { NODE_ENV?: string }) => NODE_ENV === 'production';

const SPECS = {
  ...processVariables,
  GATEWAY_PORT: port(3000),
  GATEWAY_OPS_PORT: port(9300),
  AUTH_SERVICE_URLS: urlList(),
  ADMIN_SERVICE_URLS: urlList(),
  CORS_ORIGINS: originList({ default: undefined, requiredWhen: isProduction }),
  /** The number of load balancers in front; each appends its peer's address to X-Forwarded-For. */
  TRUSTED_PROXY_HOPS: integer(0, 0, 10),
  /**
   * Limits the time until the upstream response begins (doubled if a password is hashed), and each pause
   * within it.
   */
  UPSTREAM_TIMEOUT_SECONDS: integer(10, 1, 600),
  /** How long a connection may be idle: longer than the load balancer in front keeps it. */
  KEEP_ALIVE_SECONDS: integer(65, 5, 3_600),
  HSTS: text({ choices: Object.keys(HSTS) as (keyof typeof HSTS)[], default: 'subdomains' }),
  /**
   * Stores the limits of operations, which all gateways share. Without it, each process counts separately.
   */
  REDIS_URL: redisUrl({ default: undefined, requiredWhen: isProduction }),
  RATE_LIMIT_SCALE: positiveNumber(1),
  BLOCKED_NETWORKS: networkList({ default: [] }),
  BLOCKED_PATHS: pathPrefixList({ default: [] }),
  ...pageVariables,
  /** The folder of the page at `/`. Only the embedded stack has one. */
  DEVELOPMENT_PAGE_DIR: text({ default: undefined }),
};

const rejectPageInProduction = (values: { NODE_ENV: string; DEVELOPMENT_PAGE_DIR: string | undefined }) => {
  if (values.DEVELOPMENT_PAGE_DIR !== undefined && isProduction(values))
    throw new ConfigError('DEVELOPMENT_PAGE_DIR must not be set with NODE_ENV=production');
};

/** @throws ConfigError that lists every missing or malformed variable */
export const readConfig = (environment: Environment) => {
  const values = readEnvironment(environment, SPECS, [
    rejectPageInProduction,
    () => readServices(environment),
    () => readProviderLogos(environment),
    readPageSettings,
  ]);
  const urls = { 'auth-service': values.AUTH_SERVICE_URLS, 'admin-service': values.ADMIN_SERVICE_URLS };
  const allowedOrigins: AllowedOrigins = values.CORS_ORIGINS ?? 'loopback';
  const { tracing, ...processConfig } = toProcessConfig(values);
  const ownUrls = [...(values.CORS_ORIGINS ?? []), values.PUBLIC_URL, `http://${values.LISTEN_HOST}`];
  return {
    ...processConfig,
    isKnownHost: isProduction(values) ? undefined : createHostCheck(ownUrls),
    tracing: tracing && { ...tracing, trustsCallers: false },
    apiPort: { variable: 'GATEWAY_PORT', number: values.GATEWAY_PORT },
    opsPort: { variable: 'GATEWAY_OPS_PORT', number: values.GATEWAY_OPS_PORT },
    upstreams: createUpstreams(urls, readServices(environment)),
    allowedOrigins,
    responseHeaders: createSecurityHeaders(values.HSTS),
    keepAliveSeconds: values.KEEP_ALIVE_SECONDS,
    trustedProxyHops: values.TRUSTED_PROXY_HOPS,
    upstreamTimeoutSeconds: values.UPSTREAM_TIMEOUT_SECONDS,
    redisUrl: values.REDIS_URL,
    rateLimitScale: values.RATE_LIMIT_SCALE,
    blockedNetworks: values.BLOCKED_NETWORKS,
    blockedPaths: values.BLOCKED_PATHS,
    pages: { ...readPageSettings(values), providerLogos: readProviderLogos(environment) },
    developmentPageDir: values.DEVELOPMENT_PAGE_DIR,
  };
};

export type GatewayConfig = ReturnType<typeof readConfig>;
