import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@platform/shared/testing/poll';
import { SERVICE_ENVIRONMENT } from '@platform/shared/testing/service-client';
import { removeData, startStack } from '@platform/shared/testing/stack';
import { watchProcesses } from '@platform/shared/testing/watch-processes';
import { kill, type Target } from '../crashes/faults.ts';
import { PATRONI_GROUP } from '../failover/patroni-group.ts';
import { createPlatform, type RestartableService } from '../platform.ts';

const ENVIRONMENT = {
  RATE_LIMIT_SCALE: '10000',
  LOG_LEVEL: 'warn',
  JWT_ADMIN_ACCESS_EXPIRES_IN: '86400',
  ...SERVICE_ENVIRONMENT,
};
const TARGETS: readonly Target[] = ['admin', 'auth', 'gateway', 'worker', 'postgres'];

/** `inject` resolves when the process or the engine is back. */
type Fault = { name: string; inject: () => Promise<void> };

type EventPlatform = {
  gatewayUrl: string;
  adminUrls: () => readonly string[];
  databaseUrl: () => string;
  faults: readonly Fault[];
  stop: () => Promise<void>;
};

/** Starts the embedded stack, which restarts killed processes. */
const startEmbedded = async (): Promise<EventPlatform> => {
  const stack = await startStack(ENVIRONMENT);
  const { gatewayUrl, adminUrl, databaseUrl } = stack.stack;
  const toFault = (target: Target): Fault => ({
    name: `kill -9 ${target}`,
    inject: async () => {
      const isBack = await kill(target).inject(stack);
      await waitFor(`${target} runs again`, isBack);
    },
  });
  return {
    gatewayUrl,
    adminUrls: () => [adminUrl],
    databaseUrl: () => databaseUrl,
    faults: TARGETS.map(toFault),
    stop: stack.stop,
  };
};

const toKill = (service: RestartableService): Fault => ({
  name: `kill -9 ${service.name}`,
  inject: async () => {
    service.signal('SIGKILL');
    await service.waitForExit();
    await service.start();
  },
});

/** Starts two instances of each service on three PostgreSQL servers. */
const startWithPatroni = async (): Promise<EventPlatform> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'platform-events-'));
  await chmod(dataDir, 0o755);
  const engines = await PATRONI_GROUP.start(dataDir);
  const platform = createPlatform(engines, 'smtp://127.0.0.1:1', watchProcesses(2), ENVIRONMENT);
  const [auth1, auth2] = [await platform.create('auth-service'), await platform.create('auth-service')];
  const [admin1, admin2] = [await platform.create('admin-service'), await platform.create('admin-service')];
  const gateway = await platform.createGateway([auth1, auth2], [admin1, admin2]);
  const services = [auth1, auth2, admin1, admin2];
  await Promise.all([gateway, ...services].map((service) => service.start()));
  const failovers = engines.scenarios.map(({ name, inject, repair }) => ({
    name,
    inject: async () => {
      await inject();
      await repair();
    },
  }));
  return {
    gatewayUrl: gateway.url,
    adminUrls: () => [admin1.url, admin2.url],
    databaseUrl: engines.databaseUrl,
    faults: [...failovers, ...services.map(toKill)],
    stop: async () => {
      platform.killAll();
      await engines.stop();
      await removeData(dataDir);
    },
  };
};

export const PLATFORMS = [
  { name: 'the embedded stack', findObstacle: () => undefined, start: startEmbedded },
  { name: PATRONI_GROUP.name, findObstacle: PATRONI_GROUP.findObstacle, start: startWithPatroni },
];
