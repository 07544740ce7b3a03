import { startAdminService } from '@platform/admin-service/testing/admin-service';
import { readConfig } from '@platform/auth-service/config';
import {
  CODE_SECRET,
  composeAuthService,
  getEnvironment,
  startAuthService,
} from '@platform/auth-service/testing/auth-service';
import { connectDatabase } from '@platform/shared/db/database';
import { connectRedis, untilReady } from '@platform/shared/redis/redis';
import { SERVICE_ENVIRONMENT } from '@platform/shared/testing/service-client';
import { useRunning } from '@platform/shared/testing/use-running';
import { createTimeFeature } from '../src/time/time-feature.ts';

const ignore = (): void => undefined;

/** `age` as the test bench composes it. */
export const openTime = (databaseUrl: string, redisUrl: string) => {
  const config = readConfig({ ...getEnvironment(databaseUrl), REDIS_URL: redisUrl });
  const pool = connectDatabase({
    url: databaseUrl,
    applicationName: 'test-bench',
    maxConnections: 4,
    onError: ignore,
  });
  const redis = connectRedis(redisUrl, ignore);
  const { age } = createTimeFeature({
    database: pool.database,
    redis,
    config: { codeSecret: config.codeSecret, proofSeconds: config.adminProofSeconds },
  });
  const close = async (): Promise<void> => {
    redis.destroy();
    await pool.close();
  };
  return { age, redis, close };
};

/** Both services on one database and Redis, and a second auth-service with the settings that are off by default. */
export const startServices = async () => {
  const auth = await startAuthService(SERVICE_ENVIRONMENT);
  const own = { url: auth.databaseUrl, drop: async () => undefined };
  const settings = { ...SERVICE_ENVIRONMENT, CODE_SECRET_KEY: CODE_SECRET, REDIS_URL: auth.redis.url };
  const admin = await startAdminService(settings, own);
  await admin.connected();
  const strict = await composeAuthService(auth.databaseUrl, {
    ...auth.environment,
    NEW_DEVICE_CODE: 'on',
    SESSION_MAX_AGE: '36000',
  });
  await strict.connected();
  const { age, redis, close } = openTime(auth.databaseUrl, auth.redis.url);
  await untilReady(redis);
  return {
    auth,
    admin,
    strict,
    age,
    stop: async (): Promise<void> => {
      await close();
      await strict.stop();
      await admin.stop();
      await auth.stop();
    },
  };
};

export type Services = Awaited<ReturnType<typeof startServices>>;

export const useServices = (): (() => Services) => useRunning(startServices);
