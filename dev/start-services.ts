import { join } from 'node:path';
import { migrateDatabase } from '@platform/migrate/migrate';
import { findSecret, splitList } from '@platform/shared/config/env';
import type { Secret } from '@platform/shared/config/secrets';
import type { StackConfig } from './config.ts';
import { loadSecrets, openDataDir, removeStackFile, type StackDescription } from './data-dir.ts';
import { planPostgres } from './engines/postgres.ts';
import { planValkey } from './engines/valkey.ts';
import { planInbox } from './inbox/inbox.ts';
import { hasCompanyProvider, planCompanyProvider } from './oidc-provider/company-provider.ts';
import { buildPages } from './pages.ts';
import type { ReservedPort } from './ports.ts';
import { seedDemoData } from './seed/seed-demo-data.ts';
import { type Addresses, getAllowedDomains, planServices } from './services.ts';
import { lockDataDir } from './stack-lock.ts';
import {
  type ProcessKey,
  reserveStackPorts,
  runConcurrently,
  type StackPorts,
  type StackRun,
  startProcess,
  writeDescription,
} from './stack-state.ts';
import { hasStartPage, type OptionalUrls, writeStartPage } from './start-page/start-page.ts';

/**
 * `seeded`: the demo accounts that this start created. `clusterDir`: the data directory of the embedded
 * PostgreSQL.
 */
export type StackReport = {
  description: StackDescription;
  seeded: string[];
  clusterDir?: string | undefined;
};

/** The orphans of a killed stack exit and release their ports within this time (exit-with-parent.ts). */
const orphanSeconds = 5;
type Preparation = { config: StackConfig; ports: StackPorts; logFile(name: string): string };

const startDatabase = async (run: StackRun, { config, ports, logFile }: Preparation) => {
  const { databaseUrl, processUrls } = config.external;
  if (databaseUrl) {
    const { notes } = await migrateDatabase(databaseUrl, processUrls);
    for (const note of notes) run.log(note);
    const owner = { auth: databaseUrl, admin: databaseUrl, worker: databaseUrl };
    return { databaseUrl, databaseUrls: { ...owner, ...processUrls } };
  }
  const { signal } = run.stopping;
  const { port } = ports.postgres;
  const planned = await planPostgres({
    dataDir: config.dataDir,
    port,
    logFile: logFile('postgres'),
    signal,
    settings: { shared_buffers: config.sharedBuffers },
  });
  await startProcess(run, 'postgres', planned.plan, [ports.postgres]);
  await migrateDatabase(planned.url, planned.processUrls);
  return { databaseUrl: planned.url, databaseUrls: planned.processUrls, clusterDir: planned.clusterDir };
};

const startRedis = async (run: StackRun, { config, ports, logFile }: Preparation): Promise<string> => {
  if (config.external.redisUrl) return config.external.redisUrl;
  const { plan, url } = planValkey({ port: ports.redis.port, logFile: logFile('valkey'), env: config.env });
  await startProcess(run, 'redis', plan, [ports.redis]);
  return url;
};

const startMail = async (run: StackRun, { config, ports, logFile }: Preparation) => {
  if (config.external.smtpUrl) return { smtpUrl: config.external.smtpUrl, inboxUrl: null };
  const { plan, url, smtpUrl } = planInbox({
    port: ports.inbox.port,
    smtpPort: ports.smtp.port,
    directory: join(config.dataDir, 'inbox'),
    logFile: logFile('inbox'),
    env: config.env,
  });
  await startProcess(run, 'inbox', plan, [ports.inbox, ports.smtp]);
  return { smtpUrl, inboxUrl: url };
};

const startOidcProvider = async (run: StackRun, { config, ports, logFile }: Preparation) => {
  const { env, host } = config;
  if (!hasCompanyProvider(env)) return { issuer: null, settings: {} };
  const { plan, issuer, settings } = planCompanyProvider({
    port: ports.oidc.port,
    logFile: logFile('company-provider'),
    env,
    gatewayUrl: `http://${host}:${ports.gateway.port}`,
  });
  await startProcess(run, 'oidc', plan, [ports.oidc]);
  return { issuer, settings };
};

type Engines = Pick<Addresses, 'databaseUrl' | 'databaseUrls' | 'redisUrl' | 'smtpUrl'>;

const toAddresses = ({ config, ports }: Preparation, engines: Engines): Addresses => {
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

type RunResults = { clusterDir?: string | undefined; pagesDir: string | undefined } & OptionalUrls;

/** The variables of the services that depend on this run. */
const toRunVariables = (
  { config }: Preparation,
  { clusterDir, pagesDir, ...urls }: RunResults,
): Record<string, string> => ({
  ...(clusterDir !== undefined && { EXIT_WITH_PARENT_POSTGRES: clusterDir }),
  ...(pagesDir !== undefined && { PAGES_DIR: pagesDir }),
  ...(hasStartPage(config) && { DEVELOPMENT_PAGE_DIR: writeStartPage(config, urls) }),
});

const startServices = async (
  run: StackRun,
  preparation: Preparation,
  addresses: Addresses,
  oidcSettings: Record<string, string>,
  runVariables: Record<string, string>,
): Promise<void> => {
  const { config, ports } = preparation;
  const env = { ...config.env, ...runVariables };
  const plans = planServices(config, addresses, loadSecrets(config.dataDir), env, oidcSettings);
  await runConcurrently(
    run,
    startProcess(run, 'gateway', plans.gateway, [ports.gateway, ports.gatewayOps]),
    startProcess(run, 'auth', plans.auth, [ports.auth, ports.authOps]),
    startProcess(run, 'admin', plans.admin, [ports.admin, ports.adminOps]),
    startProcess(run, 'worker', plans.worker, [ports.workerOps]),
  );
};

/** The keys that auth-service uses: those of the environment, otherwise that of the data directory. */
const getSecondFactorKey = ({ env, dataDir }: StackConfig): Secret => ({
  current: findSecret(env, 'SECOND_FACTOR_KEY') ?? loadSecrets(dataDir).SECOND_FACTOR_KEY,
  previous: splitList(findSecret(env, 'SECOND_FACTOR_KEY_PREVIOUS') ?? ''),
});

const seed = async ({ config }: Preparation, databaseUrl: string): Promise<string[]> => {
  if (!config.seed.enabled) return [];
  return await seedDemoData({ databaseUrl, ...config.seed, secondFactorKey: getSecondFactorKey(config) });
};

/** Locks the data directory and reserves the ports. If this fails, nothing has been started. */
const prepare = async (run: StackRun): Promise<Preparation> => {
  const dataDir = openDataDir(run.config.dataDir);
  const config = { ...run.config, dataDir };
  run.lock = await lockDataDir(dataDir);
  run.dataDir = dataDir;
  removeStackFile(dataDir); // outdated: left by a killed stack
  loadSecrets(dataDir);
  const ports = await reserveStackPorts(config, run.lock.afterCrash ? orphanSeconds : 0);
  run.ports = ports;
  return { config, ports, logFile: (name) => join(dataDir, 'logs', `${name}.log`) };
};

/**
 * Starts the engines concurrently, then migrates, then starts the services while the demo data is inserted.
 */
export const startEverything = async (run: StackRun): Promise<StackReport> => {
  const preparation = await prepare(run);
  run.stopping.signal.throwIfAborted();
  const [{ clusterDir, ...database }, redisUrl, { smtpUrl, inboxUrl }, oidc, pagesDir] =
    await runConcurrently(
      run,
      startDatabase(run, preparation),
      startRedis(run, preparation),
      startMail(run, preparation),
      startOidcProvider(run, preparation),
      buildPages(preparation.config, run.stopping.signal),
    );
  const urls = { inboxUrl, oidcIssuer: oidc.issuer };
  const addresses = toAddresses(preparation, { ...database, redisUrl, smtpUrl });
  const [seeded] = await runConcurrently(
    run,
    seed(preparation, addresses.databaseUrl),
    startServices(
      run,
      preparation,
      addresses,
      oidc.settings,
      toRunVariables(preparation, { clusterDir, pagesDir, ...urls }),
    ),
  );
  run.stopping.signal.throwIfAborted();
  const getPid = (key: ProcessKey) => run.processes.get(key)?.pid() ?? null;
  const pids = {
    stack: process.pid,
    gateway: getPid('gateway'),
    auth: getPid('auth'),
    admin: getPid('admin'),
    worker: getPid('worker'),
    postgres: getPid('postgres'),
    redis: getPid('redis'),
    inbox: getPid('inbox'),
    oidc: getPid('oidc'),
  };
  const { config } = preparation;
  const adminAllowedDomains = config.external.databaseUrl ? null : getAllowedDomains(config.env);
  const secondFactorKey = getSecondFactorKey(config);
  run.description = { ...addresses, ...urls, adminAllowedDomains, secondFactorKey, pids };
  writeDescription(run);
  return { description: run.description, seeded, clusterDir };
};
