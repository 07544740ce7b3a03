import { startFakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { createInterruptibleProxy } from '@platform/shared/testing/interruptible-proxy';
import { createRecords, type UserRecord } from '@platform/shared/testing/records';
import { watchProcesses } from '@platform/shared/testing/watch-processes';
import { createAdminFixture } from '../load/admin-actions.ts';
import { createPlatform, type Engines, type Platform, startEngines } from '../platform.ts';
import { readMetrics, sumSamples } from '../process-metrics.ts';

/** More requests than can wait for a hash, so that the instances respond 503 with Retry-After. */
const SIGN_INS_AT_ONCE = 200;

/** Starts an auth-service with separate connections to Redis. */
const startInstance = async (platform: Platform, { redisUrl }: Engines) => {
  const redis = await createInterruptibleProxy(redisUrl);
  const service = await platform.create('auth-service', { REDIS_URL: redis.url });
  await service.start();
  return {
    redis,
    service,
    countRequests: async (): Promise<number> =>
      sumSamples(await readMetrics(service), 'http_request_duration_seconds_count'),
  };
};

export type Instance = Awaited<ReturnType<typeof startInstance>>;

const createUsers = async ({ databaseUrl }: Engines): Promise<UserRecord[]> => {
  const records = createRecords(databaseUrl);
  try {
    const users: UserRecord[] = [];
    while (users.length < SIGN_INS_AT_ONCE) users.push(await records.user(['CUSTOMER']));
    return users;
  } finally {
    await records.close();
  }
};

/** Starts two instances of auth-service, one of admin-service, and a gateway. */
export const startRoutingFixture = async () => {
  const [engines, smtp] = await Promise.all([startEngines(), startFakeSmtpServer()]);
  const watching = watchProcesses();
  const platform = createPlatform(engines, smtp.url, watching);
  const instances = [await startInstance(platform, engines), await startInstance(platform, engines)] as const;
  const admin = await platform.create('admin-service');
  await admin.start();
  const services = instances.map(({ service }) => service);
  const gateway = await platform.createGateway(services, [admin], { TRUSTED_PROXY_HOPS: '1' });
  await gateway.start();
  const client = createHttpClient(instances[0].service.url);
  const adminFixture = await createAdminFixture(engines.databaseUrl, client);
  const users = await createUsers(engines);

  return {
    instances,
    gateway,
    adminFixture,
    /** The users who sign in at once. */
    users,
    /** Returns the seconds of each ejection so far. */
    listEjections: (): number[] =>
      gateway
        .output()
        .split('\n')
        .filter((line) => line.includes('upstream instance ejected'))
        .map((line) => JSON.parse(line).seconds),
    stop: async () => {
      await watching.stop();
      platform.killAll();
      for (const { redis } of instances) await redis.close();
      await smtp.stop();
      await engines.stop();
    },
  };
};

export type RoutingFixture = Awaited<ReturnType<typeof startRoutingFixture>>;
