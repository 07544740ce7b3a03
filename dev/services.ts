import { join } from 'node:path';
import { nodeCommand } from './child-process.ts';
import type { StackConfig } from './config.ts';
import { answersOk } from './probes.ts';
import type { Secrets } from './secrets.ts';
import type { ProcessPlan } from './supervisor.ts';

export type ServiceKey = 'gateway' | 'auth' | 'admin' | 'worker';

/** Where everything listens, the engines included. */
export type Addresses = {
  gatewayUrl: string;
  authUrl: string;
  adminUrl: string;
  /** As the owner of the database. */
  databaseUrl: string;
  /** With the login of each process. */
  databaseUrls: Record<'auth' | 'admin' | 'worker', string>;
  redisUrl: string;
  smtpUrl: string;
  opsUrls: Record<ServiceKey, string>;
};

const portOf = (url: string) => new URL(url).port;

/** What the development stack chooses where the environment says nothing. */
const defaults = {
  NODE_ENV: 'development',
  DRAIN_SECONDS: '0',
  SHUTDOWN_SECONDS: '10',
  ADMIN_ALLOWED_DOMAINS: 'example.com',
  RATE_LIMIT_SCALE: '100',
  CONTACT_INBOX: 'contact@example.com',
  SMTP_REQUIRE_TLS: 'false', // the inbox has none, nor have most mail catchers that SMTP_URL may name
  PASSWORD_BLOCKLIST: 'off', // whoever tries things out types the first password that comes to mind
  MAIL_FROM: 'Marketplace Platform <no-reply@example.com>',
  MALLOC_ARENA_MAX: '2', // glibc would set memory aside for each thread
};

/**
 * As in the Dockerfile. A small space for new objects, and an old one that is cleaned up once it has grown by two fifths:
 * without them Node takes what a machine of many gigabytes offers. And what V8 learns about which objects grow old it
 * learns wrong here: it made requests among the old ones, and cleaning up took half of all work (docs/adr/0019).
 */
export const NODE_FLAGS = [
  '--max-semi-space-size=16',
  '--heap-growing-percent=40',
  '--no-allocation-site-pretenuring',
];

type Defaults = Record<string, string>;

/** The e-mail domains of administrators: what the environment sets, else the stack's default. */
export const allowedDomainsOf = ({ ADMIN_ALLOWED_DOMAINS }: NodeJS.ProcessEnv): string =>
  ADMIN_ALLOWED_DOMAINS || defaults.ADMIN_ALLOWED_DOMAINS;

/** Our defaults, then what the environment sets, then what only the stack can know. An empty variable is no setting. */
const serviceEnv = (env: NodeJS.ProcessEnv, own: Defaults, fixed: Defaults): NodeJS.ProcessEnv => {
  const given = Object.entries(env).filter(([, value]) => value !== '');
  return { ...defaults, ...own, ...Object.fromEntries(given), ...fixed };
};

type Service = { entry: string; name: string; secrets: Defaults; fixed: Defaults };

const describeServices = (at: Addresses, secrets: Secrets): Record<ServiceKey, Service> => {
  const isOfAuth = ([name]: [string, string]) => name.endsWith('_SECRET_KEY');
  const { databaseUrls, redisUrl: REDIS_URL, smtpUrl: SMTP_URL } = at;
  return {
    gateway: {
      name: 'gateway',
      entry: 'gateway/src/main.ts',
      secrets: {},
      fixed: {
        GATEWAY_PORT: portOf(at.gatewayUrl),
        GATEWAY_OPS_PORT: portOf(at.opsUrls.gateway),
        AUTH_SERVICE_URLS: at.authUrl,
        ADMIN_SERVICE_URLS: at.adminUrl,
        REDIS_URL,
      },
    },
    auth: {
      name: 'auth-service',
      entry: 'auth-service/src/main.ts',
      secrets: Object.fromEntries(Object.entries(secrets).filter(isOfAuth)),
      fixed: {
        AUTH_API_PORT: portOf(at.authUrl),
        AUTH_OPS_PORT: portOf(at.opsUrls.auth),
        DATABASE_URL: databaseUrls.auth,
        REDIS_URL,
      },
    },
    admin: {
      name: 'admin-service',
      entry: 'admin-service/src/main.ts',
      secrets: { JWT_ADMIN_ACCESS_SECRET_KEY: secrets.JWT_ADMIN_ACCESS_SECRET_KEY },
      fixed: {
        ADMIN_API_PORT: portOf(at.adminUrl),
        ADMIN_OPS_PORT: portOf(at.opsUrls.admin),
        DATABASE_URL: databaseUrls.admin,
        REDIS_URL,
      },
    },
    worker: {
      name: 'mailer-worker',
      entry: 'mailer-worker/src/main.ts',
      secrets: { CODE_SECRET_KEY: secrets.CODE_SECRET_KEY },
      fixed: {
        WORKER_OPS_PORT: portOf(at.opsUrls.worker),
        DATABASE_URL: databaseUrls.worker,
        REDIS_URL,
        SMTP_URL,
      },
    },
  };
};

/** How the services are run, each as in production but for its settings. */
export const planServices = (
  config: StackConfig,
  at: Addresses,
  secrets: Secrets,
  env: NodeJS.ProcessEnv,
): Record<ServiceKey, ProcessPlan> => {
  const plan = (key: ServiceKey, service: Service): ProcessPlan => {
    const { root, dataDir, stopSeconds } = config;
    const own = serviceEnv(env, service.secrets, service.fixed);
    const logFile = join(dataDir, 'logs', `${service.name}.log`);
    return {
      name: service.name,
      command: nodeCommand(join(root, service.entry), own, root, logFile, NODE_FLAGS),
      isReady: () => answersOk(`${at.opsUrls[key]}/readyz`),
      stopSeconds,
    };
  };
  const { gateway, auth, admin, worker } = describeServices(at, secrets);
  return {
    gateway: plan('gateway', gateway),
    auth: plan('auth', auth),
    admin: plan('admin', admin),
    worker: plan('worker', worker),
  };
};
