import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSecrets, type Secrets } from '@platform/dev/data-dir';
import { startInbox } from '@platform/dev/inbox/inbox';
import { reservePorts } from '@platform/dev/ports';
import { type Addresses, planServices, type ServiceKey } from '@platform/dev/services';
import { type SupervisedProcess, superviseProcess } from '@platform/dev/supervisor';
import { startTestPostgres } from '@platform/dev/testing/test-postgres';
import { startTestValkey } from '@platform/dev/testing/test-valkey';
import type { ProcessWatch } from '@platform/shared/testing/watch-processes';

export type Engines = Pick<Addresses, 'databaseUrl' | 'databaseUrls' | 'redisUrl' | 'smtpUrl'> & {
  inboxUrl: string;
  /** Both releases sign tokens with the same secrets. */
  secrets: Secrets;
  stop: () => Promise<void>;
};

const findPorts = async <Name extends string>(names: readonly Name[]): Promise<Record<Name, number>> => {
  const requests = Object.fromEntries(names.map((name) => [name, { port: 0, host: '127.0.0.1' }]));
  const reserved = await reservePorts(requests as Record<Name, { port: number; host: string }>);
  const ports = names.map(async (name) => {
    await reserved[name].release();
    return [name, reserved[name].port] as const;
  });
  return Object.fromEntries(await Promise.all(ports)) as Record<Name, number>;
};

const createDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'platform-releases-'));
  await mkdir(join(directory, 'logs'));
  return directory;
};

/** A PostgreSQL without a schema, a Valkey and an inbox. */
export const startEngines = async (): Promise<Engines> => {
  const directory = await createDirectory();
  const ports = await findPorts(['http', 'smtp']);
  const [postgres, valkey, inbox] = await Promise.all([
    startTestPostgres(),
    startTestValkey(),
    startInbox({
      port: ports.http,
      smtpPort: ports.smtp,
      directory: join(directory, 'inbox'),
      logFile: join(directory, 'logs', 'inbox.log'),
    }),
  ]);
  return {
    databaseUrl: postgres.url,
    databaseUrls: postgres.processUrls,
    redisUrl: valkey.url,
    smtpUrl: inbox.smtpUrl,
    inboxUrl: inbox.url,
    secrets: loadSecrets(directory),
    stop: async () => {
      await Promise.all([postgres.stop(), valkey.stop(), inbox.stop()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
};

const ENVIRONMENT = { BCRYPT_COST: '4', LOG_LEVEL: 'info', RATE_LIMIT_SCALE: '10000' };
const ADDRESS_PORTS = ['gateway', 'auth', 'admin', 'gatewayOps', 'authOps', 'adminOps', 'workerOps'] as const;

const findAddresses = async ({
  databaseUrl,
  databaseUrls,
  redisUrl,
  smtpUrl,
}: Engines): Promise<Addresses> => {
  const ports = await findPorts(ADDRESS_PORTS);
  const url = (name: (typeof ADDRESS_PORTS)[number]) => `http://127.0.0.1:${ports[name]}`;
  return {
    gatewayUrl: url('gateway'),
    authUrl: url('auth'),
    adminUrl: url('admin'),
    ...{ databaseUrl, databaseUrls, redisUrl, smtpUrl },
    opsUrls: {
      gateway: url('gatewayOps'),
      auth: url('authOps'),
      admin: url('adminOps'),
      worker: url('workerOps'),
    },
  };
};

export type Release = {
  name: string;
  root: string;
  addresses: Addresses;
  /** Resolves when the processes are ready. */
  start: (...keys: ServiceKey[]) => Promise<void>;
  stop: (...keys: ServiceKey[]) => Promise<void>;
  /** Writes the files of the development stack that system tests read; returns their directory. */
  describe: () => Promise<string>;
  close: () => Promise<void>;
};

/** The processes of a checkout, watched while they run. */
export const createRelease = async (
  name: string,
  root: string,
  engines: Engines,
  watching: ProcessWatch,
): Promise<Release> => {
  const dataDir = await createDirectory();
  const addresses = await findAddresses(engines);
  const environment = { PATH: process.env['PATH'], ...ENVIRONMENT };
  const plans = planServices({ root, dataDir, stopSeconds: 15 }, addresses, engines.secrets, environment);
  const running = new Map<ServiceKey, SupervisedProcess>();

  const startOne = async (key: ServiceKey): Promise<void> => {
    const supervised = superviseProcess(plans[key]);
    running.set(key, supervised);
    await supervised.start();
    watching.watch(`${name} ${key}`, addresses.opsUrls[key]);
  };
  const stopOne = async (key: ServiceKey): Promise<void> => {
    watching.unwatch(addresses.opsUrls[key]);
    await running.get(key)?.stop();
    running.delete(key);
  };
  const stop = async (...keys: ServiceKey[]): Promise<void> => {
    await Promise.all(keys.map(stopOne));
  };
  return {
    name,
    root,
    addresses,
    start: async (...keys) => {
      await Promise.all(keys.map(startOne));
    },
    stop,
    describe: async () => {
      const pids = Object.fromEntries([...running].map(([key, supervised]) => [key, supervised.pid()]));
      const stack = { ...addresses, inboxUrl: engines.inboxUrl, pids };
      await writeFile(join(dataDir, 'stack.json'), JSON.stringify(stack));
      await writeFile(join(dataDir, 'secrets.json'), JSON.stringify(engines.secrets));
      return dataDir;
    },
    close: async () => {
      await stop(...running.keys());
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
