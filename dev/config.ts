import { dirname, resolve } from 'node:path';
import { type ProcessUrls, readProcessUrls, URL_VARIABLES } from '@platform/migrate/logins';
import { PROCESS_SECONDS } from '@platform/shared/async/patience';
import { databaseUrl, httpUrl, redisUrl, smtpUrl } from '@platform/shared/config/addresses';
import { ConfigError, integer, port, readEnvironment, text } from '@platform/shared/config/env';
import { readWithMisspelt } from '@platform/shared/config/misspelt-variables';

/** The settings of `npm start`. Port 0 means any free port. */
export type StackConfig = {
  /** The checkout, which contains the entry points of the services. */
  root: string;
  dataDir: string;
  /** The address that the services listen on, and the host of their URLs. */
  listenHost: string;
  host: string;
  ports: Record<keyof typeof portVariables, number>;
  /**
   * External servers, which replace the embedded ones. A process without a database URL connects as the
   * owner.
   */
  external: {
    databaseUrl: string | undefined;
    processUrls: ProcessUrls;
    redisUrl: string | undefined;
    smtpUrl: string | undefined;
  };
  /** The address under which other machines open the inbox; undefined: only this machine does. */
  inboxUrl: string | undefined;
  /** The memory of the embedded PostgreSQL for pages of tables and indexes, in PostgreSQL's notation. */
  sharedBuffers: string;
  seed: { enabled: boolean; password: string; bcryptCost: number };
  /** Only `npm run test-bench` enables it. */
  testBench: { enabled: boolean; host: string; urlHost: string; port: number };
  /** How long a service may take to stop before it is killed. */
  stopSeconds: number;
  /** The environment of the services. */
  env: NodeJS.ProcessEnv;
  /** Describes misspelt names of variables of the stack; those of the services are in their logs. */
  misspelt: string | undefined;
};

/** The variable of each configurable port, for messages. */
export const portVariables = {
  gateway: 'GATEWAY_PORT',
  auth: 'AUTH_API_PORT',
  admin: 'ADMIN_API_PORT',
  inbox: 'INBOX_PORT',
  oidc: 'OIDC_PORT',
  gatewayOps: 'GATEWAY_OPS_PORT',
  authOps: 'AUTH_OPS_PORT',
  adminOps: 'ADMIN_OPS_PORT',
  workerOps: 'WORKER_OPS_PORT',
} as const;

const variables = {
  LISTEN_HOST: text({ default: '127.0.0.1' }),
  GATEWAY_PORT: port(3000),
  AUTH_API_PORT: port(3001),
  ADMIN_API_PORT: port(3002),
  INBOX_PORT: port(8025),
  OIDC_PORT: port(8026),
  TEST_BENCH_PORT: port(8027),
  TEST_BENCH_HOST: text({ default: '127.0.0.1' }),
  GATEWAY_OPS_PORT: port(0),
  AUTH_OPS_PORT: port(0),
  ADMIN_OPS_PORT: port(0),
  WORKER_OPS_PORT: port(0),
  DATABASE_URL: databaseUrl({ default: undefined }),
  REDIS_URL: redisUrl({ default: undefined }),
  SMTP_URL: smtpUrl({ default: undefined }),
  INBOX_URL: httpUrl({ default: undefined }),
  POSTGRES_SHARED_BUFFERS: text({ default: '128MB' }),
  SEED_DEMO: text({ choices: ['on', 'off'], default: 'on' }),
  SEED_PASSWORD: text({ default: 'Password123!' }),
  BCRYPT_COST: integer(12, 4, 16),
  SHUTDOWN_SECONDS: integer(10, 0, 600),
  DRAIN_SECONDS: integer(0, 0, 600),
};

const root = dirname(import.meta.dirname);

/** A server that listens on all addresses is reached at the loopback address. */
const toUrlHost = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
};

/** The address of pages. Browsers allow passkeys at localhost, but not at 127.0.0.1. */
export const toPageUrl = (url: string): string => url.replace('//127.0.0.1:', '//localhost:');

/** The data directory of the stack: DATA_DIR, otherwise `.data-<name>` of a test bench, or `.data`. */
export const readDataDir = (env: NodeJS.ProcessEnv, name?: string): string =>
  resolve(root, env.DATA_DIR?.trim() || (name === undefined ? '.data' : `.data-${name}`));

/** @throws ConfigError if a process has a database URL, and the owner has none */
const requireOwner = (env: NodeJS.ProcessEnv, ownerUrl: string | undefined): void => {
  if (Object.keys(readProcessUrls(env)).length > 0 && ownerUrl === undefined)
    throw new ConfigError(
      `${Object.values(URL_VARIABLES).join(', ')} need DATABASE_URL, the URL of the database owner`,
    );
};

const readVariables = (env: NodeJS.ProcessEnv): Omit<StackConfig, 'env' | 'misspelt'> => {
  const read = readEnvironment(env, variables, [({ DATABASE_URL }) => requireOwner(env, DATABASE_URL)]);
  const processUrls = readProcessUrls(env);
  return {
    root,
    dataDir: readDataDir(env),
    listenHost: read.LISTEN_HOST,
    host: toUrlHost(read.LISTEN_HOST),
    ports: {
      gateway: read.GATEWAY_PORT,
      auth: read.AUTH_API_PORT,
      admin: read.ADMIN_API_PORT,
      inbox: read.INBOX_PORT,
      oidc: read.OIDC_PORT,
      gatewayOps: read.GATEWAY_OPS_PORT,
      authOps: read.AUTH_OPS_PORT,
      adminOps: read.ADMIN_OPS_PORT,
      workerOps: read.WORKER_OPS_PORT,
    },
    external: {
      databaseUrl: read.DATABASE_URL,
      processUrls,
      redisUrl: read.REDIS_URL,
      smtpUrl: read.SMTP_URL,
    },
    inboxUrl: read.INBOX_URL,
    sharedBuffers: read.POSTGRES_SHARED_BUFFERS,
    seed: {
      enabled: read.SEED_DEMO === 'on',
      password: read.SEED_PASSWORD,
      bcryptCost: read.BCRYPT_COST,
    },
    testBench: {
      enabled: false,
      host: read.TEST_BENCH_HOST,
      urlHost: toUrlHost(read.TEST_BENCH_HOST),
      port: read.TEST_BENCH_PORT,
    },
    stopSeconds: read.SHUTDOWN_SECONDS + read.DRAIN_SECONDS + PROCESS_SECONDS,
  };
};

/**
 * Reads the environment of `npm start`.
 * @throws ConfigError that names every invalid variable
 */
export const readStackConfig = (env: NodeJS.ProcessEnv): StackConfig => {
  const { config, misspelt } = readWithMisspelt(env, readVariables);
  return { ...config, env, misspelt };
};

const productionNote =
  'NODE_ENV=production tries the settings of production on this machine: CORS_ORIGINS is required, and there ' +
  'is no start page and no OpenID provider. Unset it for development; to deploy, see docs/deployment.md.';

/** Returns warnings that the user should read before the start. @param ephemeral the range of `readEphemeralRange` */
export const listWarnings = (
  { ports, env, misspelt }: Pick<StackConfig, 'ports' | 'env' | 'misspelt'>,
  ephemeral: { first: number; last: number },
): string[] => {
  const { first, last } = ephemeral;
  const names = Object.keys(ports) as (keyof typeof ports)[];
  return [
    ...(env.NODE_ENV === 'production' ? [productionNote] : []),
    ...(misspelt === undefined ? [] : [misspelt]),
    ...names
      .filter((name) => ports[name] >= first && ports[name] <= last)
      .map(
        (name) =>
          `${portVariables[name]}=${ports[name]}: the system assigns the ports ${first} to ${last} to outgoing ` +
          'connections, one of which may occupy this port while its process restarts. Choose a lower one.',
      ),
  ];
};
