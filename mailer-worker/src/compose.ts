import { connectDatabase } from '@platform/shared/db/database';
import type { Composed, Runtime } from '@platform/shared/http/serve';
import { connectRedis } from '@platform/shared/redis/connect-redis';
import type { WorkerConfig } from './config.ts';

export const compose = (config: WorkerConfig, { log }: Runtime): Composed => {
  const database = connectDatabase({
    url: config.databaseUrl,
    applicationName: 'mailer-worker',
    maxConnections: 4,
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  const redis = connectRedis(config.redisUrl, (error) => log.warn({ err: error }, 'redis connection lost'));
  return {
    checks: { postgres: database.ping, redis: () => redis.ping() },
    close: async () => {
      redis.destroy();
      await database.close();
    },
  };
};
