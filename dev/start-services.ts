import { join } from 'node:path';
import { loadSecrets, openDataDir, removeStackFile, type StackDescription } from './data-dir.ts';
import { buildPages, findPagesDir } from './pages.ts';
import type { ReservedPort } from './ports.ts';
import { getSecondFactorKey, seed } from './seed/seed-stack.ts';
import { type Addresses, getAllowedDomains, listSettingWarnings, planServices } from './services.ts';
import { lockDataDir } from './stack-lock.ts';
import {
  type ProcessKey,
  reserveStackPorts,
  runConcurrently,
  type StackRun,
  startProcess,
  writeDescription,
} from './stack-state.ts';
import {
  type Preparation,
  startDatabase,
  startMail,
  startOidcProvider,
  startRedis,
} from './start-engines.ts';
import { hasStartPage, type OptionalUrls, writeStartPage } from './start-page/start-page.ts';
import {
  createTestBenchAccess,
  planTestBench,
  type TestBenchAccess,
  toProxyVariables,
} from './test-bench-process.ts';

/**
 * `seeded`: the demo accounts that this start created. `clusterDir`: the data directory of the embedded
 * PostgreSQL.
 */
export type StackReport = {
  description: StackDescription;
  seeded: string[];
  /** About settings that the services ignore. */
  warnings: string[];
  clusterDir?: string | undefined;
};

/** The orphans of a killed stack exit and release their ports within this time (exit-with-parent.ts). */
const orphanSeconds = 30;

type Engines = Pick<Addresses, 'databaseUrl' | 'databaseUrls' | 'redisUrl' | 'smtpUrl'>;

const toAddresses = ({ config, ports }: Preparation, engines: Engines): Addresses => {
  const url = ({ port }: ReservedPort) => `http://${config.host}:${port}`;
  return {
    gatewayUrl: url(ports.gateway),
    ...(config.testBench.enabled && { proxiedGatewayUrl: url(ports.proxiedGateway) }),
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

type RunResults = { clusterDir?: string | undefined } & OptionalUrls;

/** The variables of the services that depend on this run. */
const toRunVariables = (
  { config, ports }: Preparation,
  { clusterDir, ...urls }: RunResults,
): Record<string, string> => {
  const pagesDir = findPagesDir(config);
  return {
    ...(clusterDir !== undefined && { EXIT_WITH_PARENT_POSTGRES: clusterDir }),
    ...(pagesDir !== undefined && { PAGES_DIR: pagesDir }),
    ...(hasStartPage(config) && { DEVELOPMENT_PAGE_DIR: writeStartPage(config, urls) }),
    ...toProxyVariables(config, ports),
  };
};

const startPages = async (run: StackRun, { config, logFile }: Preparation): Promise<void> => {
  const directory = findPagesDir(config);
  if (directory === undefined) return;
  const part = { name: 'pages', done: 'The pages are built', logFile: logFile('pages') };
  await run.progress.run(part, () => buildPages(config, directory, part.logFile, run.stopping.signal));
};

type ServiceSettings = {
  addresses: Addresses;
  oidcSettings: Record<string, string>;
  runVariables: Record<string, string>;
  inboxUrl: string | null;
  testBench: TestBenchAccess | undefined;
};

/**
 * The gateway reads the pages when it starts.
 * @returns warnings about ignored settings
 */
const startServices = async (
  run: StackRun,
  preparation: Preparation,
  { addresses, oidcSettings, runVariables, inboxUrl, testBench }: ServiceSettings,
  pages: Promise<void>,
): Promise<string[]> => {
  const { config, ports } = preparation;
  const env = { ...config.env, ...runVariables };
  const plans = planServices(config, addresses, loadSecrets(config.dataDir), env, oidcSettings);
  await runConcurrently(
    run,
    pages.then(() =>
      startProcess(run, 'gateway', plans.gateway, [
        testBench ? ports.proxiedGateway : ports.gateway,
        ports.gatewayOps,
      ]),
    ),
    startProcess(run, 'auth', plans.auth, [ports.auth, ports.authOps]),
    startProcess(run, 'admin', plans.admin, [ports.admin, ports.adminOps]),
    startProcess(run, 'worker', plans.worker, [ports.workerOps]),
    ...(testBench
      ? [
          startProcess(
            run,
            'testBench',
            planTestBench(preparation, plans, { addresses, inboxUrl, testBench }),
            [ports.gateway, ports.testBench, ports.testBenchOps],
          ),
        ]
      : []),
  );
  return listSettingWarnings(Object.values(plans).map(({ command }) => command.logFile));
};

/** Locks the data directory and reserves the ports. If this fails, nothing has been started. */
const prepare = async (run: StackRun): Promise<Preparation> => {
  const dataDir = openDataDir(run.config.dataDir);
  const config = { ...run.config, dataDir };
  run.lock = await lockDataDir(dataDir);
  run.dataDir = dataDir;
  removeStackFile(dataDir); // outdated: left by a killed stack
  loadSecrets(dataDir);
  const seconds = run.lock.afterCrash ? orphanSeconds : 0;
  const ports = await run.progress.run({ name: 'free ports' }, () => reserveStackPorts(config, seconds));
  run.ports = ports;
  return { config, ports, logFile: (name) => join(dataDir, 'logs', `${name}.log`) };
};

/**
 * Starts the engines concurrently, then migrates, then starts the services while the demo data is inserted and
 * the pages are built.
 */
export const startEverything = async (run: StackRun): Promise<StackReport> => {
  const preparation = await prepare(run);
  run.stopping.signal.throwIfAborted();
  const pages = startPages(run, preparation);
  pages.catch(() => undefined); // startServices awaits it, unless an engine fails before
  run.pending.push(pages);
  const [{ clusterDir, ...database }, redisUrl, { smtpUrl, inboxUrl }, oidc] = await runConcurrently(
    run,
    startDatabase(run, preparation),
    startRedis(run, preparation),
    startMail(run, preparation),
    startOidcProvider(run, preparation),
  );
  const urls = { inboxUrl, oidcIssuer: oidc.issuer };
  const addresses = toAddresses(preparation, { ...database, redisUrl, smtpUrl });
  const runVariables = toRunVariables(preparation, { clusterDir, ...urls });
  const testBench = createTestBenchAccess(preparation);
  const [seeded, warnings] = await runConcurrently(
    run,
    seed(run, preparation, addresses),
    startServices(
      run,
      preparation,
      { addresses, oidcSettings: oidc.settings, runVariables, inboxUrl, testBench },
      pages,
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
    ...(testBench && { testBench: getPid('testBench') }),
  };
  const { config } = preparation;
  const adminAllowedDomains = config.external.databaseUrl ? null : getAllowedDomains(config.env);
  const secondFactorKey = getSecondFactorKey(config);
  run.description = {
    ...addresses,
    ...urls,
    adminAllowedDomains,
    secondFactorKey,
    ...(testBench && { testBench }),
    pids,
  };
  writeDescription(run);
  return { description: run.description, seeded, clusterDir, warnings };
};
