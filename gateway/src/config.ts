import { redisUrl } from '@platform/shared/config/addresses';
import {
  ConfigError,
  type Environment,
  integer,
  list,
  port,
  positiveNumber,
  readEnvironment,
  text,
} from '@platform/shared/config/env';
import { processVariables, toTracingSettings } from '@platform/shared/config/process-variables';
import type { ProcessConfig } from '@platform/shared/http/serve';
import type { UpstreamName } from './upstreams.ts';

/** Exact origins, or any port on loopback. */
export type AllowedOrigins = string[] | 'loopback';

export type GatewayConfig = ProcessConfig & {
  /** Base URLs of the instances of each service, at least one. */
  upstreamUrls: Record<UpstreamName, string[]>;
  allowedOrigins: AllowedOrigins;
  /** Number of load balancers in front; each appends its peer's address to X-Forwarded-For. */
  trustedProxyHops: number;
  /** Limits the time until the upstream response begins, and each pause within it. */
  upstreamTimeoutSeconds: number;
  /** Holds the route rate limits, shared by all gateways; without it each process counts for itself. */
  redisUrl?: string | undefined;
  /** Multiplies every rate limit. */
  rateLimitScale: number;
  /** The folder of the page at `/`; only the embedded stack has one. */
  developmentPageDir?: string | undefined;
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
  REDIS_URL: redisUrl({ default: undefined, requiredWhen: ({ NODE_ENV }) => NODE_ENV === 'production' }),
  RATE_LIMIT_SCALE: positiveNumber(1),
  DEVELOPMENT_PAGE_DIR: text({ default: undefined }),
};

/** Plain HTTP, host and port only: the agent has no TLS, and the gateway does not rewrite paths. */
const isBaseUrl = (text: string): boolean => {
  const url = URL.parse(text);
  return url?.protocol === 'http:' && url.href === `${url.origin}/`;
};

/** In the form that browsers send: scheme, host and port without a path; not `*`, not `null`. */
const isOrigin = (text: string): boolean => {
  const url = URL.parse(text);
  return url?.origin === text && /^https?:$/.test(url.protocol);
};

const findUrlProblems = (variable: string, urls: string[]): string[] => [
  ...(urls.length === 0 ? [`${variable} is required`] : []),
  ...urls
    .filter((url) => !isBaseUrl(url))
    .map((url) => `${variable}: ${url} is not of the form http://host:port`),
];

const findOriginProblems = (origins: string[] | undefined): string[] => [
  ...(origins?.length === 0 ? ['CORS_ORIGINS must have at least one origin'] : []),
  ...(origins ?? [])
    .filter((origin) => !isOrigin(origin))
    .map((origin) => `CORS_ORIGINS: ${origin} is not of the form https://host or https://host:port`),
];

/** @throws ConfigError that lists every missing or malformed variable. */
export const readConfig = (environment: Environment): GatewayConfig => {
  const values = readEnvironment(environment, SPECS);
  const problems = [
    ...findUrlProblems('AUTH_SERVICE_URLS', values.AUTH_SERVICE_URLS),
    ...findUrlProblems('ADMIN_SERVICE_URLS', values.ADMIN_SERVICE_URLS),
    ...findOriginProblems(values.CORS_ORIGINS),
    ...(values.DEVELOPMENT_PAGE_DIR !== undefined && values.NODE_ENV === 'production'
      ? ['DEVELOPMENT_PAGE_DIR must not be set with NODE_ENV=production']
      : []),
  ];
  if (problems.length > 0) throw new ConfigError(problems.join('; '));
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
    developmentPageDir: values.DEVELOPMENT_PAGE_DIR,
  };
};
