import { join } from 'node:path';
import { describeMissingRoles } from '@platform/shared/db/database-logins';
import { migrateDatabase } from '@platform/shared/db/migrate';
import type { StackConfig } from './config.ts';
import { openDataDir } from './data-dir.ts';
import { planPostgres } from './engines/postgres.ts';
import { planValkey } from './engines/valkey.ts';
import { planInbox } from './inbox/inbox.ts';
import type { ReservedPort } from './ports.ts';
import { loadSecrets } from './secrets.ts';
import { seedDemoData } from './seed/seed-demo-data.ts';
import { type Addresses, allowedDomainsOf, planServices } from './services.ts';
import { removeStackFile, type StackDescription } from './stack-file.ts';
import { lockDataDir } from './stack-lock.ts';
import { reserveStackPorts, type StackPorts } from './stack-ports.ts';
import { launch, type ProcessKey, publish, type StackRun, together } from './stack-state.ts';

/** `seeded`: the demo accounts that this start created. `clusterDir`: the embedded PostgreSQL's files. */
export type StackReport = {
  description: StackDescription;
  seeded: string[];
  clusterDir?: string | undefined;
};

/** The orphans of a stack that was killed go within this time (tether.ts), and give their ports back. */
const orphanSeconds = 5;
type Begun = { config: StackConfig; ports: StackPorts; logFile(name: string): string };

const startDatabase = async (run: StackRun, { config, ports, logFile }: Begun) => {
  const { databaseUrl, processUrls } = config.external;
  if (databaseUrl) {
    const { missingRoles } = await migrateDatabase(databaseUrl, processUrls);
    for (const line of describeMissingRoles(missingRoles)) run.say(line);
    const owner = { auth: databaseUrl, admin: databaseUrl, worker: databaseUrl };
    return { databaseUrl, databaseUrls: { ...owner, ...processUrls } };
  }
  const { signal } = run.stopping;
  const { port } = ports.postgres;
  const planned = await planPostgres({ dataDir: config.dataDir, port, logFile: logFile('postgres'), signal });
  await launch(run, 'postgres', planned.plan, [ports.postgres]);
  await migrateDatabase(planned.url, planned.processUrls);
  return { databaseUrl: planned.url, databaseUrls: planned.processUrls, clusterDir: planned.clusterDir };
};

const startRedis = async (run: StackRun, { config, ports, logFile }: Begun): Promise<string> => {
  if (config.external.redisUrl) return config.external.redisUrl;
  const { plan, url } = planValkey({ port: ports.redis.port, logFile: logFile('valkey'), env: config.env });
  await launch(run, 'redis', plan, [ports.redis]);
  return url;
};

const startMail = async (run: StackRun, { config, ports, logFile }: Begun) => {
  if (config.external.smtpUrl) return { smtpUrl: config.external.smtpUrl, inboxUrl: null };
  const { plan, url, smtpUrl } = planInbox({
    port: ports.inbox.port,
    smtpPort: ports.smtp.port,
    directory: join(config.dataDir, 'inbox'),
    logFile: logFile('inbox'),
    env: config.env,
  });
  await launch(run, 'inbox', plan, [ports.inbox, ports.smtp]);
  return { smtpUrl, inboxUrl: url };
};

type Engines = Pick<Addresses, 'databaseUrl' | 'databaseUrls' | 'redisUrl' | 'smtpUrl'>;

const locate = ({ config, ports }: Begun, engines: Engines): Addresses => {
  const url = ({ port }: ReservedPort) => `http://${config.host}:${port}`;
  return {
    gatewayUrl: url(ports.gateway),
    authUrl: url(ports.auth),
    adminUrl: url(ports.admin),
    ...engines,
    opsUrls: {
      gateway: url(ports.gatewayOps),
      auth: url(ports.authOps),
      admin: url(ports.adminOps),
      worker: url(ports.workerOps),
    },
  };
};

const startServices = async (
  run: StackRun,
  begun: Begun,
  at: Addresses,
  clusterDir?: string,
): Promise<void> => {
  const { config, ports } = begun;
  const env = { ...config.env, ...(clusterDir !== undefined && { TETHER_POSTGRES: clusterDir }) };
  const plans = planServices(config, at, loadSecrets(config.dataDir), env);
  await together(
    run,
    launch(run, 'gateway', plans.gateway, [ports.gateway, ports.gatewayOps]),
    launch(run, 'auth', plans.auth, [ports.auth, ports.authOps]),
    launch(run, 'admin', plans.admin, [ports.admin, ports.adminOps]),
    launch(run, 'worker', plans.worker, [ports.workerOps]),
  );
};

const seed = ({ config }: Begun, databaseUrl: string): Promise<string[]> =>
  config.seed.enabled ? seedDemoData({ databaseUrl, ...config.seed }) : Promise.resolve([]);

/** Takes the data directory and the ports, or fails before anything is started. */
const begin = async (run: StackRun): Promise<Begun> => {
  const dataDir = openDataDir(run.config.dataDir);
  const config = { ...run.config, dataDir };
  run.lock = await lockDataDir(dataDir);
  run.dataDir = dataDir;
  removeStackFile(dataDir); // left by a stack that was killed: it tells of nothing that runs
  loadSecrets(dataDir);
  const ports = await reserveStackPorts(config, run.lock.afterCrash ? orphanSeconds : 0);
  run.ports = ports;
  return { config, ports, logFile: (name) => join(dataDir, 'logs', `${name}.log`) };
};

/** Brings everything up: the engines together, then the schema, then the services together with the demo data. */
export const bringUp = async (run: StackRun): Promise<StackReport> => {
  const begun = await begin(run);
  run.stopping.signal.throwIfAborted();
  const [{ clusterDir, ...database }, redisUrl, { smtpUrl, inboxUrl }] = await together(
    run,
    startDatabase(run, begun),
    startRedis(run, begun),
    startMail(run, begun),
  );
  const at = locate(begun, { ...database, redisUrl, smtpUrl });
  const [seeded] = await together(
    run,
    seed(begun, at.databaseUrl),
    startServices(run, begun, at, clusterDir),
  );
  run.stopping.signal.throwIfAborted();
  const pidOf = (key: ProcessKey) => run.processes.get(key)?.pid() ?? null;
  const pids = {
    stack: process.pid,
    gateway: pidOf('gateway'),
    auth: pidOf('auth'),
    admin: pidOf('admin'),
    worker: pidOf('worker'),
    postgres: pidOf('postgres'),
    redis: pidOf('redis'),
    inbox: pidOf('inbox'),
  };
  const adminAllowedDomains = begun.config.external.databaseUrl ? null : allowedDomainsOf(begun.config.env);
  run.description = { ...at, inboxUrl, adminAllowedDomains, pids };
  publish(run);
  return { description: run.description, seeded, clusterDir };
};
