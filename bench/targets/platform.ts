import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readStackConfig } from '@platform/dev/config';
import { loadSecrets, type Secrets } from '@platform/dev/data-dir';
import { type Addresses, planServices, type ServiceKey } from '@platform/dev/services';
import { SERVICE_ENVIRONMENT } from '@platform/shared/testing/service-client';
import { type StackFile, startStack } from '@platform/shared/testing/stack';
import { type Defer, findPorts, HOST, ROOT, startProcess } from './processes.ts';

/** The same as in production, except that all requests come from one address. */
const ENVIRONMENT = {
  NODE_ENV: 'production',
  BCRYPT_COST: '12',
  CORS_ORIGINS: 'http://localhost:3000',
  LOG_LEVEL: 'info',
  RATE_LIMIT_SCALE: '100000',
  // The same as in deploy/kubernetes, because the tables with a million rows are larger than the default of
  // 128 MB.
  POSTGRES_SHARED_BUFFERS: '1GB',
  ...SERVICE_ENVIRONMENT,
};

const LABELS = {
  gateway: 'gateway',
  auth: 'auth-service',
  admin: 'admin-service',
  postgres: 'PostgreSQL',
  redis: 'Redis',
  worker: 'mailer-worker',
} as const;

/** The URLs of the servers and their database. */
export type Endpoints = { gatewayUrl: string; authUrl: string; adminUrl: string; databaseUrl: string };

/** The processes of a stack by their name in tables. */
export const pidsOf = (
  { pids }: Pick<StackFile, 'pids'>,
  keys: readonly (keyof typeof LABELS)[],
): Record<string, number> => Object.fromEntries(keys.map((key) => [LABELS[key], pids[key]]));

/** An additional process of the platform. */
export type Instance = { url: string; pid: () => number | null; stop: () => Promise<void> };

export type Platform = {
  stack: StackFile;
  secrets: Secrets;
  /**
   * Starts another process, with the addresses of the stack by default; `variables` override its environment.
   */
  startInstance: (
    key: 'gateway' | 'auth' | 'admin',
    addresses?: Partial<Addresses>,
    variables?: Record<string, string>,
  ) => Promise<Instance>;
};

const toUrl = (port: number | undefined): string => `http://${HOST}:${port}`;

/** The URLs of the process logins for the database of `databaseUrl`. */
const withDatabase = (databaseUrl: string, { auth, admin, worker }: Addresses['databaseUrls']) => {
  const { pathname } = new URL(databaseUrl);
  const replace = (url: string) => Object.assign(new URL(url), { pathname }).href;
  return { auth: replace(auth), admin: replace(admin), worker: replace(worker) };
};

const withFreePorts = async (key: ServiceKey, addresses: Addresses) => {
  const [api, ops] = (await findPorts(2)).map(toUrl);
  const opsUrls = { ...addresses.opsUrls, [key]: ops };
  const databaseUrls = withDatabase(addresses.databaseUrl, addresses.databaseUrls);
  return { url: api ?? '', at: { ...addresses, databaseUrls, [`${key}Url`]: api, opsUrls } };
};

/** Starts the platform of the checkout `root` as in production, on a new database. */
export const startPlatform = async (defer: Defer, root: string = ROOT): Promise<Platform> => {
  const { stack, dataDir, stop } = await startStack(ENVIRONMENT, root);
  defer(stop);
  const secrets = loadSecrets(dataDir);
  let count = 0;

  const startInstance: Platform['startInstance'] = async (key, addresses = {}, variables = {}) => {
    count += 1;
    const instanceDir = join(dataDir, `instance-${count}`);
    mkdirSync(join(instanceDir, 'logs'), { recursive: true });
    const { url, at } = await withFreePorts(key, { ...stack, ...addresses });
    const env = { ...process.env, ...ENVIRONMENT, DATABASE_URL: '', REDIS_URL: '', SMTP_URL: '' };
    const config = readStackConfig({ ...env, DATA_DIR: instanceDir });
    const plan = planServices(config, at, secrets, env)[key];
    const command = { ...plan.command, env: { ...plan.command.env, ...variables } };
    const supervised = await startProcess({ ...plan, command }, defer);
    return { url, pid: supervised.pid, stop: () => supervised.stop() };
  };
  return { stack, secrets, startInstance };
};
