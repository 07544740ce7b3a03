import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInbox } from '@platform/dev/inbox/inbox';
import { removeData } from '@platform/shared/testing/stack';
import {
  expectNoFailures,
  type ProcessWatch,
  watchProcesses,
} from '@platform/shared/testing/watch-processes';
import { expect } from 'chai';
import { createAdminFixture } from '../load/admin-actions.ts';
import { createLostWriteFinder } from '../load/expected-state.ts';
import { createClientOfManyNetworks } from '../load/many-networks.ts';
import { createMixedLoad } from '../load/mixed-load.ts';
import { createPlatform, type EngineUrls, findPorts, type RestartableService } from '../platform.ts';
import { checkRound } from './check-round.ts';
import { type RoundFixture, type RoundResult, runRound } from './run-round.ts';
import type { FailoverEngines, FailoverGroup } from './scenario.ts';

const WARM_UP_SECONDS = 6;
/** The services omit a gauge that they cannot read within a second. A busy machine may delay the response. */
const SCRAPE_TIMEOUT_SECONDS = 2;
/** Starts a gateway, two instances of each service, and a worker. */
const startServices = async (urls: EngineUrls, smtpUrl: string, watching: ProcessWatch) => {
  const platform = createPlatform(urls, smtpUrl, watching);
  const create = platform.create;
  const [auth1, auth2] = [await create('auth-service'), await create('auth-service')];
  const [admin1, admin2] = [await create('admin-service'), await create('admin-service')];
  const worker = await create('mailer-worker');
  const gateway = await platform.createGateway([auth1, auth2], [admin1, admin2], {
    TRUSTED_PROXY_HOPS: '1',
  });
  const services = {
    gateway,
    'auth-1': auth1,
    'auth-2': auth2,
    'admin-1': admin1,
    'admin-2': admin2,
    worker,
  };
  try {
    await Promise.all(Object.values(services).map((service) => service.start()));
  } catch (error) {
    platform.killAll();
    throw error;
  }
  return { platform, gateway, services };
};

/** The sum of the sizes of all pools. */
const readPoolSizes = async (services: readonly RestartableService[]): Promise<number> => {
  const pages = await Promise.all(
    services.map(async ({ opsUrl }) => (await fetch(`${opsUrl}/metrics`)).text()),
  );
  const sizes = pages.map((page) => Number(/^database_connections_max\{.*\} (\d+)$/m.exec(page)?.[1] ?? 0));
  return sizes.reduce((sum, size) => sum + size, 0);
};

const createFixture = async (
  engines: FailoverEngines,
  inboxUrl: string,
  watching: ProcessWatch,
  { gateway, services }: Awaited<ReturnType<typeof startServices>>,
): Promise<RoundFixture> => {
  const client = createClientOfManyNetworks(gateway.url);
  const adminFixture = await createAdminFixture(engines.databaseUrl(), client);
  const load = createMixedLoad(client, adminFixture);
  const { expectedState } = load;
  await load.warmUp(WARM_UP_SECONDS);
  return {
    engines,
    services,
    watching,
    load,
    inboxUrl,
    findLostWrites: createLostWriteFinder({ client, expectedState, adminToken: adminFixture.adminToken }),
  };
};

/** Starts the platform on the engines of a group, with an inbox. */
export const startGroup = async (group: FailoverGroup) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'platform-failover-'));
  await chmod(dataDir, 0o755);
  const cleanups: (() => unknown)[] = [() => removeData(dataDir)];
  const stop = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  };
  try {
    const [port = 0, smtpPort = 0] = await findPorts(2);
    const engines = await group.start(dataDir);
    cleanups.push(engines.stop);
    const inbox = await startInbox({
      port,
      smtpPort,
      directory: join(dataDir, 'inbox'),
      logFile: join(dataDir, 'inbox.log'),
    });
    cleanups.push(inbox.stop);
    const watching = watchProcesses(SCRAPE_TIMEOUT_SECONDS);
    const running = await startServices(engines, inbox.smtpUrl, watching);
    cleanups.push(running.platform.killAll);
    const { services } = running;
    const fixture = await createFixture(engines, inbox.url, watching, running);
    return {
      /** Injects the fault under load, and checks what the round has recorded. */
      runScenario: async (name: string): Promise<RoundResult> => {
        const scenario = engines.scenarios.find((each) => each.name === name);
        if (!scenario) throw new Error(`There is no scenario ${name}`);
        const result = await runRound(scenario, fixture);
        checkRound(result, await readPoolSizes(Object.values(services)));
        return result;
      },
      expectAllRunning: async (): Promise<void> => {
        expectNoFailures(await watching.stop());
        const ended = Object.entries(services).filter(([, service]) => service.hasExited());
        expect(ended.map(([name]) => name)).to.deep.equal([]);
      },
      stop,
    };
  } catch (error) {
    // Mocha goes on with the other group, which needs the processor.
    await stop();
    throw error;
  }
};
