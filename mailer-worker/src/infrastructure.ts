import type { Secret } from '@platform/shared/config/secrets';
import { connectDatabase, query, registerDatabaseMetrics } from '@platform/shared/db/database';
import { createMigrationCheck } from '@platform/shared/db/migration-check';
import { createErrorLog } from '@platform/shared/log/repeated-errors';
import { createMailCipher } from '@platform/shared/platform/mail/mail-encryption';
import { createMailQueue } from '@platform/shared/platform/mail/mail-queue';
import {
  connectBlockingRedis,
  connectRedis,
  createRedisCheck,
  warnUnlessNoEviction,
} from '@platform/shared/redis/redis';
import { registerRedisMemory } from '@platform/shared/redis/redis-memory';
import type { Runtime } from '@platform/shared/server/serve';
import { createMailMetrics } from './mail-metrics.ts';

type Config = {
  databaseUrl: string;
  databaseConnections: number;
  queueRedisUrl: string;
  codeSecret: Secret;
};

/** The connections and mechanisms of the whole process, which know no feature. */
export const createInfrastructure = (config: Config, { log, metrics }: Runtime) => {
  const onError = createErrorLog(log, 'worker error');
  const pool = connectDatabase({
    url: config.databaseUrl,
    applicationName: 'mailer-worker',
    maxConnections: config.databaseConnections,
    onError,
  });
  const { database } = pool;
  registerDatabaseMetrics(metrics, pool);
  // Takes a few milliseconds, because Postgres adds up the sizes of the files.
  metrics.gauge('database_size_bytes', 'Size of the database on disk', async () => {
    const text = 'select pg_database_size(current_database())::float8 as bytes';
    const [size] = await query<{ bytes: number }>(database, { name: 'database-size', text, values: [] });
    return size?.bytes;
  });
  const redis = connectRedis(config.queueRedisUrl, onError);
  const blockingRedis = connectBlockingRedis(config.queueRedisUrl, onError);
  warnUnlessNoEviction(redis, (message) => log.warn(message));
  registerRedisMemory(metrics, redis);
  const cipher = createMailCipher(config.codeSecret);
  const queue = createMailQueue(redis, cipher);
  return {
    log,
    metrics,
    mailMetrics: createMailMetrics(metrics, log),
    onError,
    database,
    redis,
    /** BullMQ workers wait for jobs on it, in blocking commands. */
    blockingRedis,
    cipher,
    queue,
    checks: {
      postgres: pool.ping,
      'postgres-writes': pool.checkWrites,
      migrations: createMigrationCheck(database, log),
      redis: createRedisCheck('mailer-worker', redis),
    },
    optionalChecks: { clock: pool.checkClock },
    close: async () => {
      await queue.close();
      redis.destroy();
      blockingRedis.destroy();
      await pool.close();
    },
  };
};

export type Infrastructure = ReturnType<typeof createInfrastructure>;

/** A feature is built from the infrastructure, and from the settings that it names. */
export type Base<Config> = Infrastructure & { config: Config };
