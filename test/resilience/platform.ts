import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@platform/dev/engines/postgres';
import { startValkey } from '@platform/dev/engines/valkey';
import { isFullyReady, reservePorts } from '@platform/dev/ports';
import { migrateDatabase } from '@platform/migrate/migrate';
import type { DatabaseProcess } from '@platform/migrate/rights';
import { waitFor } from '@platform/shared/testing/poll';
import {
  type Exit,
  type NodeProcess,
  type ServiceName,
  startService,
} from '@platform/shared/testing/process';
import { removeData } from '@platform/shared/testing/stack';
import type { ProcessWatch } from '@platform/shared/testing/watch-processes';

const SHUTDOWN_SECONDS = 8;
const DRAIN_SECONDS = 1;
const NODE_FLAGS = readFileSync(new URL('../../deploy/node-flags', import.meta.url), 'utf8')
  .trim()
  .split(' ');

export type EngineUrls = { processUrls: Record<DatabaseProcess, string>; redisUrl: string };

export type Engines = EngineUrls & {
  /** The URL of the owner. */
  databaseUrl: string;
  pids: () => { postgres: number; redis: number };
  stop: () => Promise<void>;
};

/** Finds free ports of the loopback address. */
export const findPorts = async (count: number): Promise<number[]> => {
  const wanted = Array.from({ length: count }, (_, index) => [index, { port: 0, host: '127.0.0.1' }]);
  const reserved = Object.values(await reservePorts(Object.fromEntries(wanted)));
  await Promise.all(reserved.map(({ release }) => release()));
  return reserved.map(({ port }) => port);
};

/** Starts an empty PostgreSQL and a Valkey, without the processes of the platform. */
export const startEmptyEngines = async (folder = tmpdir()): Promise<Engines> => {
  const dataDir = await mkdtemp(join(folder, 'platform-stop-'));
  await chmod(dataDir, 0o755);
  const [postgresPort = 0, valkeyPort = 0] = await findPorts(2);
  const [postgres, valkey] = await Promise.all([
    startPostgres({ dataDir, port: postgresPort, logFile: join(dataDir, 'postgres.log') }),
    startValkey({ port: valkeyPort, logFile: join(dataDir, 'valkey.log') }),
  ]);
  return {
    databaseUrl: postgres.url,
    processUrls: postgres.processUrls,
    redisUrl: valkey.url,
    pids: () => ({ postgres: postgres.pid() ?? 0, redis: valkey.pid() ?? 0 }),
    stop: async () => {
      await Promise.all([postgres.stop(), valkey.stop()]);
      await removeData(dataDir);
    },
  };
};

/** As startEmptyEngines, with the schema of this checkout. */
export const startEngines = async (folder?: string): Promise<Engines> => {
  const engines = await startEmptyEngines(folder);
  await migrateDatabase(engines.databaseUrl, engines.processUrls);
  return engines;
};

type StartOptions = {
  settings?: Record<string, string>;
  /** The dependencies that may be missing when the service is ready. */
  optional?: readonly string[];
  /** The root of another checkout. */
  root?: string;
  /** A file descriptor that takes the place of the log, which is empty then. */
  stdout?: number;
};

/** A service that is stopped and started again on the same ports. */
export type RestartableService = {
  name: ServiceName;
  url: string;
  opsUrl: string;
  /** The pid of the current run. */
  pid: () => number;
  hasExited: () => boolean;
  /** The log of the current run. */
  output: () => string;
  /** Resolves when the service is ready. */
  start: (options?: StartOptions) => Promise<void>;
  signal: (name: NodeJS.Signals) => void;
  waitForExit: () => Promise<Exit>;
  /** Sends SIGTERM, and then waits like waitForExit. */
  stop: () => Promise<Exit>;
};

const LOOPBACK = '127.0.0.1';
type Listener = { host: string; api: number; ops: number };

const createService = (
  name: ServiceName,
  { host, api, ops }: Listener,
  environment: Record<string, string>,
  watching: ProcessWatch,
): RestartableService => {
  const opsUrl = `http://${host}:${ops}`;
  let running: NodeProcess | undefined;
  const signal = (signalName: NodeJS.Signals): void => {
    watching.unwatch(opsUrl);
    running?.kill(signalName);
  };
  const waitForExit = async (): Promise<Exit> => {
    if (!running) throw new Error(`${name} was not started`);
    return await running.waitForExit();
  };
  return {
    name,
    url: `http://${host}:${api}`,
    opsUrl,
    pid: () => running?.pid ?? 0,
    hasExited: () => running?.hasExited() ?? true,
    output: () => running?.output() ?? '',
    start: async ({ settings = {}, optional = [], ...options } = {}) => {
      const started = startService(name, { ...environment, ...settings }, NODE_FLAGS, options);
      running = started;
      const isReady = () => {
        if (started.hasExited()) throw new Error(`${name} did not start:\n${started.output()}`);
        return isFullyReady(opsUrl, optional);
      };
      await waitFor(`${name} is ready`, isReady);
      watching.watch(name, opsUrl);
    },
    signal,
    waitForExit,
    stop: () => {
      signal('SIGTERM');
      return waitForExit();
    },
  };
};

const SECRETS = [
  ...['JWT_CUSTOMER_ACCESS_SECRET_KEY', 'JWT_CUSTOMER_REFRESH_SECRET_KEY'],
  ...['JWT_EMPLOYEE_ACCESS_SECRET_KEY', 'JWT_EMPLOYEE_REFRESH_SECRET_KEY'],
  ...['JWT_ADMIN_ACCESS_SECRET_KEY', 'JWT_ADMIN_REFRESH_SECRET_KEY'],
  ...['CODE_SECRET_KEY', 'SECOND_FACTOR_KEY'],
];

type ServiceSettings = { apiPort?: string; opsPort: string; database?: DatabaseProcess };

const SERVICES: Record<ServiceName, ServiceSettings> = {
  gateway: { apiPort: 'GATEWAY_PORT', opsPort: 'GATEWAY_OPS_PORT' },
  'auth-service': { apiPort: 'AUTH_API_PORT', opsPort: 'AUTH_OPS_PORT', database: 'auth' },
  'admin-service': { apiPort: 'ADMIN_API_PORT', opsPort: 'ADMIN_OPS_PORT', database: 'admin' },
  'mailer-worker': { opsPort: 'WORKER_OPS_PORT', database: 'worker' },
};

const createCommonEnvironment = ({ redisUrl }: EngineUrls, smtpUrl: string): Record<string, string> => ({
  NODE_ENV: 'development',
  LOG_LEVEL: 'warn',
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '32768',
  DRAIN_SECONDS: String(DRAIN_SECONDS),
  SHUTDOWN_SECONDS: String(SHUTDOWN_SECONDS),
  RATE_LIMIT_SCALE: '10000',
  // A hash takes some 4 ms, because the machine may have few cores.
  BCRYPT_COST: '6',
  ADMIN_ALLOWED_DOMAINS: 'example.com',
  PASSWORD_BLOCKLIST: 'off',
  CONTACT_INBOX: 'contact@example.com',
  MAIL_FROM: 'Platform <no-reply@example.com>',
  SMTP_REQUIRE_TLS: 'false',
  REDIS_URL: redisUrl,
  SMTP_URL: smtpUrl,
  ...Object.fromEntries(SECRETS.map((name) => [name, randomBytes(36).toString('base64url')])),
});

/** Creates services that share engines and secrets, and are watched while they run. */
export const createPlatform = (
  engines: EngineUrls,
  smtpUrl: string,
  watching: ProcessWatch,
  settings: Record<string, string> = {},
) => {
  const common = { ...createCommonEnvironment(engines, smtpUrl), ...settings };
  const created: RestartableService[] = [];

  const create = async (
    name: ServiceName,
    environment: Record<string, string> = {},
    /** By default, any free ports of the loopback address are used. */
    listener: Partial<Listener> = {},
  ): Promise<RestartableService> => {
    const [freeApi = 0, freeOps = 0] = await findPorts(2);
    const { host = LOOPBACK, api = freeApi, ops = freeOps } = listener;
    const { apiPort, opsPort, database } = SERVICES[name];
    const own = {
      ...(host !== LOOPBACK && { LISTEN_HOST: host }),
      ...(apiPort && { [apiPort]: String(api) }),
      [opsPort]: String(ops),
      ...(database && { DATABASE_URL: engines.processUrls[database] }),
    };
    const service = createService(name, { host, api, ops }, { ...common, ...own, ...environment }, watching);
    created.push(service);
    return service;
  };

  return {
    create,
    createGateway: (
      auth: readonly RestartableService[],
      admin: readonly RestartableService[],
      environment: Record<string, string> = {},
    ) =>
      create('gateway', {
        ...environment,
        // The inspector listens on any free port, and only after SIGUSR1 (process-metrics.ts).
        NODE_OPTIONS: '--inspect-port=0',
        AUTH_SERVICE_URLS: auth.map(({ url }) => url).join(','),
        ADMIN_SERVICE_URLS: admin.map(({ url }) => url).join(','),
      }),
    killAll: () => {
      for (const service of created) service.signal('SIGKILL');
    },
  };
};

export type Platform = ReturnType<typeof createPlatform>;
