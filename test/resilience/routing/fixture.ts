import { startFakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { createInterruptibleProxy } from '@platform/shared/testing/interruptible-proxy';
import { watchProcesses } from '@platform/shared/testing/watch-processes';
import { createAdminFixture } from '../load/admin-actions.ts';
import { createPlatform, type EngineUrls, type Platform, startEngines } from '../platform.ts';
import { startFront } from './front.ts';

/** An auth-service, with its own connections to Postgres and Redis, behind a server that simulates faults. */
const startInstance = async (platform: Platform, { processUrls, redisUrl }: EngineUrls) => {
  const database = await createInterruptibleProxy(processUrls.auth);
  const redis = await createInterruptibleProxy(redisUrl);
  const service = await platform.create('auth-service', { DATABASE_URL: database.url, REDIS_URL: redis.url });
  await service.start();
  return { database, redis, service, front: await startFront(service.url) };
};

export type Instance = Awaited<ReturnType<typeof startInstance>>;

/** Two instances of auth-service, one of admin-service, and a gateway. */
export const startRoutingFixture = async () => {
  const [engines, smtp] = await Promise.all([startEngines(), startFakeSmtpServer()]);
  const watching = watchProcesses();
  const platform = createPlatform(engines, smtp.url, watching);
  const instances = [await startInstance(platform, engines), await startInstance(platform, engines)] as const;
  const admin = await platform.create('admin-service');
  await admin.start();
  const gateway = await platform.create('gateway', {
    AUTH_SERVICE_URLS: instances.map(({ front }) => front.url).join(),
    ADMIN_SERVICE_URLS: admin.url,
  });
  await gateway.start();
  const client = createHttpClient(instances[0].service.url);
  return {
    instances,
    gateway,
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
