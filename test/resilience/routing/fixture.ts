import { startFakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { createInterruptibleProxy } from '@platform/shared/testing/interruptible-proxy';
import { watchProcesses } from '@platform/shared/testing/watch-processes';
import { createAdminFixture } from '../load/admin-actions.ts';
import {
  createPlatform,
  type EngineUrls,
  type Platform,
  type RestartableService,
  startEngines,
} from '../platform.ts';
import { startFront } from './front.ts';

/** All instances listen on the port that the gateway knows. */
export const AUTH_PORT = 3001;

/** An auth-service, with its own connections to Postgres and Redis, behind a server that simulates faults. */
const startInstance = async (platform: Platform, { processUrls, redisUrl }: EngineUrls, host: string) => {
  const database = await createInterruptibleProxy(processUrls.auth);
  const redis = await createInterruptibleProxy(redisUrl);
  const service = await platform.create('auth-service', { DATABASE_URL: database.url, REDIS_URL: redis.url });
  await service.start();
  return { database, redis, service, front: await startFront(service.url, { host, port: AUTH_PORT }) };
};

export type Instance = Awaited<ReturnType<typeof startInstance>>;

/** Two instances of auth-service and one of admin-service, without a gateway. */
export const startRoutingFixture = async (network: string) => {
  const [engines, smtp] = await Promise.all([startEngines(), startFakeSmtpServer()]);
  const watching = watchProcesses();
  const platform = createPlatform(engines, smtp.url, watching);
  const startAuth = (host: string) => startInstance(platform, engines, host);
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
      for (const { front, database, redis } of instances) {
        front.stop();
        await Promise.all([database.close(), redis.close()]);
      }
      await smtp.stop();
      await engines.stop();
    },
  };
};

export type RoutingFixture = Awaited<ReturnType<typeof startRoutingFixture>>;
