import { join } from 'node:path';
import type { ProcessUrls } from '@platform/migrate/logins';
import { migrateDatabase } from '@platform/migrate/migrate';
import { markDatabase } from '@platform/test-bench-server/mark/mark';
import type { StackConfig } from './config.ts';
import { planPostgres } from './engines/postgres.ts';
import { planValkey } from './engines/valkey.ts';
import { planInbox } from './inbox/inbox.ts';
import { hasCompanyProvider, planCompanyProvider } from './oidc-provider/company-provider.ts';
import { type StackPorts, type StackRun, startProcess } from './stack-state.ts';

/** A run whose data directory is locked and whose ports are reserved. */
export type Preparation = { config: StackConfig; ports: StackPorts; logFile(name: string): string };

const migrate = (run: StackRun, databaseUrl: string, processUrls: ProcessUrls) =>
  run.progress.run({ name: 'schema', done: 'The schema is up to date' }, () =>
    migrateDatabase(databaseUrl, processUrls),
  );

const startMigratedDatabase = async (run: StackRun, { config, ports, logFile }: Preparation) => {
  const { databaseUrl, processUrls } = config.external;
  if (databaseUrl) {
    const { notes } = await migrate(run, databaseUrl, processUrls);
    for (const note of notes) run.progress.log(note);
    const owner = { auth: databaseUrl, admin: databaseUrl, worker: databaseUrl };
    return { databaseUrl, databaseUrls: { ...owner, ...processUrls } };
  }
  const { signal } = run.stopping;
  const { port } = ports.postgres;
  const options = { dataDir: config.dataDir, port, logFile: logFile('postgres'), signal };
  const planned = await run.progress.run(
    { name: 'database files', done: 'The database files are ready', logFile: options.logFile },
    () => planPostgres({ ...options, settings: { shared_buffers: config.sharedBuffers } }),
  );
  await startProcess(run, 'postgres', planned.plan, [ports.postgres]);
  await migrate(run, planned.url, planned.processUrls);
  return { databaseUrl: planned.url, databaseUrls: planned.processUrls, clusterDir: planned.clusterDir };
};

/** @throws ConfigError if the database has users and is not that of a test bench, although this stack has one */
export const startDatabase = async (run: StackRun, preparation: Preparation) => {
  const database = await startMigratedDatabase(run, preparation);
  if (preparation.config.testBench.enabled) await markDatabase(database.databaseUrl);
  return database;
};

export const startRedis = async (run: StackRun, { config, ports, logFile }: Preparation): Promise<string> => {
  if (config.external.redisUrl) return config.external.redisUrl;
  const { plan, url } = planValkey({ port: ports.redis.port, logFile: logFile('valkey'), env: config.env });
  await startProcess(run, 'redis', plan, [ports.redis]);
  return url;
};

export const startMail = async (run: StackRun, { config, ports, logFile }: Preparation) => {
  if (config.external.smtpUrl) return { smtpUrl: config.external.smtpUrl, inboxUrl: null };
  const { plan, url, smtpUrl } = planInbox({
    port: ports.inbox.port,
    smtpPort: ports.smtp.port,
    directory: join(config.dataDir, 'inbox'),
    logFile: logFile('inbox'),
    env: config.env,
    publicUrl: config.inboxUrl,
    listenHost: config.listenHost,
  });
  await startProcess(run, 'inbox', plan, [ports.inbox, ports.smtp]);
  return { smtpUrl, inboxUrl: url };
};

export const startOidcProvider = async (run: StackRun, { config, ports, logFile }: Preparation) => {
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
