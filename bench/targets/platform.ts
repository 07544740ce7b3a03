import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readStackConfig } from '@platform/dev/config';
import { loadSecrets, type Secrets } from '@platform/dev/secrets';
import { type Addresses, planServices, type ServiceKey } from '@platform/dev/services';
import { type StackFile, startStack } from '@platform/shared/testing/stack';
import { type Defer, findPorts, HOST, startProcess } from './processes.ts';

/** As in production, except that all the load comes from one address. */
const ENVIRONMENT = {
  NODE_ENV: 'production',
  BCRYPT_COST: '12',
  CORS_ORIGINS: 'http://localhost:3000',
  LOG_LEVEL: 'info',
  RATE_LIMIT_SCALE: '100000',
};

/** Where requests go, and on which data. */
export type Entrance = { gatewayUrl: string; authUrl: string; adminUrl: string; databaseUrl: string };

/** A process of ours beside those of the stack. */
export type Extra = { url: string; pid: () => number | null; stop: () => Promise<void> };

export type Platform = {
  stack: StackFile;
  secrets: Secrets;
  dataDir: string;
  /** One more process, at the addresses of the stack but for those given; `variables` have the last word. */
  startExtra: (
    key: 'gateway' | 'auth' | 'admin',
    at?: Partial<Addresses>,
    variables?: Record<string, string>,
  ) => Promise<Extra>;
};

const urlOf = (port: number | undefined): string => `http://${HOST}:${port}`;

/** The logins of the processes, in the database of `databaseUrl`. */
const loginsIn = (databaseUrl: string, { auth, admin, worker }: Addresses['databaseUrls']) => {
  const { pathname } = new URL(databaseUrl);
  const move = (url: string) => Object.assign(new URL(url), { pathname }).href;
  return { auth: move(auth), admin: move(admin), worker: move(worker) };
};

const ownAddresses = async (key: ServiceKey, addresses: Addresses) => {
  const [api, ops] = (await findPorts(2)).map(urlOf);
  const opsUrls = { ...addresses.opsUrls, [key]: ops };
  const databaseUrls = loginsIn(addresses.databaseUrl, addresses.databaseUrls);
  return { url: api ?? '', at: { ...addresses, databaseUrls, [`${key}Url`]: api, opsUrls } };
};

/** The production build of the whole platform, on engines and data of its own. */
export const startPlatform = async (defer: Defer): Promise<Platform> => {
  const { stack, dataDir, stop } = await startStack(ENVIRONMENT);
  defer(stop);
  const secrets = loadSecrets(dataDir);
  let count = 0;

  const startExtra: Platform['startExtra'] = async (key, given = {}, variables = {}) => {
    count += 1;
    const own = join(dataDir, `extra-${count}`);
    mkdirSync(join(own, 'logs'), { recursive: true });
    const { url, at } = await ownAddresses(key, { ...stack, ...given });
    const env = { ...process.env, ...ENVIRONMENT, DATABASE_URL: '', REDIS_URL: '', SMTP_URL: '' };
    const config = readStackConfig({ ...env, DATA_DIR: own });
    const plan = planServices(config, at, secrets, env)[key];
    const command = { ...plan.command, env: { ...plan.command.env, ...variables } };
    const supervised = await startProcess({ ...plan, command }, defer);
    return { url, pid: supervised.pid, stop: () => supervised.stop() };
  };
  return { stack, secrets, dataDir, startExtra };
};
