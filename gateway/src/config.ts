import {
  ConfigError,
  type Environment,
  integer,
  list,
  port,
  positiveNumber,
  processVariables,
  readEnvironment,
  toTracingSettings,
  url,
} from '@platform/shared/config/env';
import type { ProcessConfig } from '@platform/shared/http/serve';
import type { UpstreamName } from './upstreams.ts';

/** Exact origins, or any port of this machine. */
export type AllowedOrigins = string[] | 'loopback';

export type GatewayConfig = ProcessConfig & {
  /** Base URLs of the instances of each service, one at least. */
  upstreamUrls: Record<UpstreamName, string[]>;
  allowedOrigins: AllowedOrigins;
  /** How many balancers stand in front; each adds the address that it saw to X-Forwarded-For. */
  trustedProxyHops: number;
  /** How long an upstream may take to begin its answer, and then pause within it. */
  upstreamTimeoutSeconds: number;
  /** Where the limits that hold across instances are counted; in this process if absent. */
  redisUrl?: string | undefined;
  /** Multiplies every limit. */
  rateLimitScale: number;
};

const SPECS = {
  ...processVariables,
  GATEWAY_PORT: port(3000),
  GATEWAY_OPS_PORT: port(9300),
  AUTH_SERVICE_URLS: list(),
  ADMIN_SERVICE_URLS: list(),
  CORS_ORIGINS: list({ default: undefined, requiredWhen: ({ NODE_ENV }) => NODE_ENV === 'production' }),
  TRUSTED_PROXY_HOPS: integer(0, 0, 10),
  UPSTREAM_TIMEOUT_SECONDS: integer(30, 1, 600),
  REDIS_URL: url({ default: undefined, requiredWhen: ({ NODE_ENV }) => NODE_ENV === 'production' }),
  RATE_LIMIT_SCALE: positiveNumber(1),
};

/** A host and a port and nothing else, since the gateway rewrites no path; its agent speaks plain HTTP. */
const isBaseUrl = (text: string): boolean => {
  const url = URL.parse(text);
  return url?.protocol === 'http:' && url.href === `${url.origin}/`;
};

/** As browsers send it: scheme, host and port, no path, and neither `*` nor `null`. */
const isOrigin = (text: string): boolean => {
  const url = URL.parse(text);
  return url?.origin === text && /^https?:$/.test(url.protocol);
};

const refuseAny = (problems: string[]): void => {
  if (problems.length > 0) throw new ConfigError(problems.join('; '));
};

const checkUrls = (variable: string, urls: string[]): string[] => [
  ...(urls.length === 0 ? [`${variable} is required`] : []),
  ...urls
    .filter((url) => !isBaseUrl(url))
    .map((url) => `${variable}: ${url} is not of the form http://host:port`),
];

const checkOrigins = (origins: string[]): string[] =>
  origins
    .filter((origin) => !isOrigin(origin))
    .map((origin) => `CORS_ORIGINS: ${origin} is not of the form https://host or https://host:port`);

/** @throws ConfigError naming everything that is missing or malformed. */
export const readConfig = (environment: Environment): GatewayConfig => {
  const values = readEnvironment(environment, SPECS);
  refuseAny([
    ...checkUrls('AUTH_SERVICE_URLS', values.AUTH_SERVICE_URLS),
    ...checkUrls('ADMIN_SERVICE_URLS', values.ADMIN_SERVICE_URLS),
    ...checkOrigins(values.CORS_ORIGINS ?? []),
  ]);
  return {
    host: values.HOST,
    apiPort: { variable: 'GATEWAY_PORT', number: values.GATEWAY_PORT },
    opsPort: { variable: 'GATEWAY_OPS_PORT', number: values.GATEWAY_OPS_PORT },
    logLevel: values.LOG_LEVEL,
    drainSeconds: values.DRAIN_SECONDS,
    shutdownSeconds: values.SHUTDOWN_SECONDS,
    tracing: toTracingSettings(values),
    upstreamUrls: { 'auth-service': values.AUTH_SERVICE_URLS, 'admin-service': values.ADMIN_SERVICE_URLS },
    allowedOrigins: values.CORS_ORIGINS ?? 'loopback',
    trustedProxyHops: values.TRUSTED_PROXY_HOPS,
    upstreamTimeoutSeconds: values.UPSTREAM_TIMEOUT_SECONDS,
    redisUrl: values.REDIS_URL,
    rateLimitScale: values.RATE_LIMIT_SCALE,
  };
};
