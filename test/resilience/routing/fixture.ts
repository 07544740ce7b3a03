import { startFakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { createInterruptibleProxy } from '@platform/shared/testing/interruptible-proxy';
import { watchProcesses } from '@platform/shared/testing/watch-processes';
import { createAdminFixture } from '../load/admin-actions.ts';
import { createPlatform, type Platform, type RestartableService, startEngines } from '../platform.ts';
import { startFront } from './front.ts';

/** All instances listen on the port that the gateway knows. */
export const AUTH_PORT = 3001;

/** An auth-service, with its own connection to Postgres, behind a server that simulates faults. */
const startInstance = async (platform: Platform, databaseUrl: string, host: string) => {
  const database = await createInterruptibleProxy(databaseUrl);
  const service = await platform.create('auth-service', { DATABASE_URL: database.url });
  await service.start();
  return { database, service, front: await startFront(service.url, { host, port: AUTH_PORT }) };
};

export type Instance = Awaited<ReturnType<typeof startInstance>>;

/** Two instances of auth-service and one of admin-service, without a gateway. */
export const startRoutingFixture = async (network: string) => {
  const [engines, smtp] = await Promise.all([startEngines(), startFakeSmtpServer()]);
  const watching = watchProcesses();
  const platform = createPlatform(engines, smtp.url, watching);
  const startAuth = (host: string) => startInstance(platform, engines.processUrls.auth, host);
  const instances = [await startAuth(`${network}.1`), await startAuth(`${network}.2`)] as const;
  const admin: RestartableService = await platform.create('admin-service');
  await admin.start();
  const client = createHttpClient(instances[0].service.url);
  return {
    platform,
    instances,
    admin,
    adminFixture: await createAdminFixture(engines.databaseUrl, client),
    stop: async () => {
      await watching.stop();
      platform.killAll();
      for (const { front, database } of instances) {
        front.stop();
        await database.close();
      }
      await smtp.stop();
      await engines.stop();
    },
  };
};

export type RoutingFixture = Awaited<ReturnType<typeof startRoutingFixture>>;
