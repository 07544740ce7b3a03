import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readServiceNames } from '@platform/shared/platform/services/services';
import { nodeCommand } from './child-process.ts';
import { type StackConfig, toPageUrl } from './config.ts';
import type { Secrets } from './data-dir.ts';
import { isFullyReady } from './ports.ts';
import type { ProcessPlan } from './supervisor.ts';

export type ServiceKey = 'gateway' | 'auth' | 'admin' | 'worker';

/** The URLs of the services and the engines. */
export type Addresses = {
  /** The address of the platform. */
  gatewayUrl: string;
  /** The gateway, if `gatewayUrl` is the proxy of a test bench. */
  proxiedGatewayUrl?: string;
  authUrl: string;
  adminUrl: string;
  /** The database URL with the owner's login. */
  databaseUrl: string;
  /** The database URLs with the login of each process. */
  databaseUrls: Record<'auth' | 'admin' | 'worker', string>;
  redisUrl: string;
  smtpUrl: string;
  opsUrls: Record<ServiceKey, string>;
};

const getPort = (url: string) => new URL(url).port;

/** The defaults of the development stack. */
const defaults = {
  NODE_ENV: 'development',
  DRAIN_SECONDS: '0',
  SHUTDOWN_SECONDS: '10',
  ADMIN_ALLOWED_DOMAINS: 'example.com',
  RATE_LIMIT_SCALE: '100',
  CONTACT_INBOX: 'contact@example.com',
  SMTP_REQUIRE_TLS: 'false', // neither the inbox nor most other mail catchers support TLS
  MAIL_FROM: 'no-reply@example.com',
  SUPPORT_EMAIL: 'support@example.com',
  ENVIRONMENT_NAME: 'Demo',
  // One malloc arena for all threads, and large buffers outside of it, because glibc does not return the
  // freed memory of an arena.
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '32768',
};

/**
 * The V8 flags of the services, here and in the images (docs/decisions.md, 19): a small young generation, and
 * an old generation that is collected when it has grown by 40 %. By default, V8 sizes both for the memory of
 * the machine. Allocation-site pretenuring allocated request objects in old space, so that garbage collection
 * took half of the processor time.
 */
const nodeFlags = readFileSync(new URL('../deploy/node-flags', import.meta.url), 'utf8')
  .trim()
  .split(' ');

type Defaults = Record<string, string>;

/** The e-mail domains of administrators. */
export const getAllowedDomains = ({ ADMIN_ALLOWED_DOMAINS }: NodeJS.ProcessEnv): string =>
  ADMIN_ALLOWED_DOMAINS || defaults.ADMIN_ALLOWED_DOMAINS;

type Environment = Record<string, string | undefined>;

/** A secret and its file override each other, because services reject both together. */
const override = (lower: Environment, higher: Environment): Environment => {
  const toSetting = (name: string) => name.replace(/_FILE$/, '');
  const given = new Set(Object.keys(higher).map(toSetting));
  const others = Object.entries(lower).filter(([name]) => !given.has(toSetting(name)));
  return { ...Object.fromEntries(others), ...higher };
};

/**
 * Merges the defaults, the environment (empty variables count as unset) and the addresses of the stack. Later
 * values override earlier ones.
 */
const serviceEnv = (env: NodeJS.ProcessEnv, own: Defaults, fixed: Defaults): NodeJS.ProcessEnv => {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  return [own, given, fixed].reduce(override, defaults);
};

type Service = { entry: string; name: string; own: Defaults; fixed: Defaults; waitsFor?: string[] };

const toServices = (
  addresses: Addresses,
  secrets: Secrets,
  oidcSettings: Defaults,
): Record<ServiceKey, Service> => {
  const isAuthSecret = ([name]: [string, string]) => name.endsWith('_KEY');
  const { databaseUrls, redisUrl: REDIS_URL, smtpUrl: SMTP_URL } = addresses;
  return {
    gateway: {
      name: 'gateway',
      entry: 'gateway/src/main.ts',
      waitsFor: ['auth-service', 'admin-service'],
      own: {},
      fixed: {
        GATEWAY_PORT: getPort(addresses.proxiedGatewayUrl ?? addresses.gatewayUrl),
        GATEWAY_OPS_PORT: getPort(addresses.opsUrls.gateway),
        AUTH_SERVICE_URLS: addresses.authUrl,
        ADMIN_SERVICE_URLS: addresses.adminUrl,
        REDIS_URL,
      },
    },
    auth: {
      name: 'auth-service',
      entry: 'auth-service/src/main.ts',
      own: { ...Object.fromEntries(Object.entries(secrets).filter(isAuthSecret)), ...oidcSettings },
      fixed: {
        AUTH_API_PORT: getPort(addresses.authUrl),
        AUTH_OPS_PORT: getPort(addresses.opsUrls.auth),
        DATABASE_URL: databaseUrls.auth,
        REDIS_URL,
      },
    },
    admin: {
      name: 'admin-service',
      entry: 'admin-service/src/main.ts',
      own: {
        JWT_ADMIN_ACCESS_SECRET_KEY: secrets.JWT_ADMIN_ACCESS_SECRET_KEY,
        CODE_SECRET_KEY: secrets.CODE_SECRET_KEY,
        BOT_CHECK_KEY: secrets.BOT_CHECK_KEY,
      },
      fixed: {
        ADMIN_API_PORT: getPort(addresses.adminUrl),
        ADMIN_OPS_PORT: getPort(addresses.opsUrls.admin),
        DATABASE_URL: databaseUrls.admin,
        REDIS_URL,
      },
    },
    worker: {
      name: 'mailer-worker',
      entry: 'mailer-worker/src/main.ts',
      // The mail of an invitation has a link to the console.
      own: { CODE_SECRET_KEY: secrets.CODE_SECRET_KEY, PUBLIC_URL: toPageUrl(addresses.gatewayUrl) },
      fixed: {
        WORKER_OPS_PORT: getPort(addresses.opsUrls.worker),
        DATABASE_URL: databaseUrls.worker,
        REDIS_URL,
        SMTP_URL,
      },
    },
  };
};

/** The processes of the services, which differ from production only in their settings. */
export const planServices = (
  config: Pick<StackConfig, 'root' | 'dataDir' | 'stopSeconds'>,
  addresses: Addresses,
  secrets: Secrets,
  env: NodeJS.ProcessEnv,
  oidcSettings: Defaults = {},
): Record<ServiceKey, ProcessPlan> => {
  const plan = (key: ServiceKey, service: Service): ProcessPlan => {
    const { root, dataDir, stopSeconds } = config;
    const ownEnv = serviceEnv(env, service.own, service.fixed);
    const logFile = join(dataDir, 'logs', `${service.name}.log`);
    return {
      name: service.name,
      command: nodeCommand(join(root, service.entry), ownEnv, root, logFile, nodeFlags),
      // Other services are optional, because they may be started after the platform, which they need.
      isReady: () => isFullyReady(addresses.opsUrls[key], readServiceNames(ownEnv)),
      waitsFor: service.waitsFor ?? [],
      stopSeconds,
    };
  };
  const { gateway, auth, admin, worker } = toServices(addresses, secrets, oidcSettings);
  return {
    gateway: plan('gateway', gateway),
    auth: plan('auth', auth),
    admin: plan('admin', admin),
    worker: plan('worker', worker),
  };
};

type LoggedLine = { setting?: boolean; msg?: string };

/** The log lines of the services about ignored settings, without repetitions. */
export const listSettingWarnings = (logFiles: readonly string[]): string[] => {
  const lines = logFiles.flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  const warnings = lines
    .filter((line) => line.includes('"setting":true'))
    .map((line) => (JSON.parse(line) as LoggedLine).msg ?? '');
  return [...new Set(warnings)];
};
