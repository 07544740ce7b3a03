import { createBackground } from '@platform/shared/async/tasks';
import { connectDatabase, registerDatabaseMetrics } from '@platform/shared/db/database';
import { createMigrationCheck } from '@platform/shared/db/migration-check';
import type { Runtime } from '@platform/shared/http/serve';
import { createErrorLog } from '@platform/shared/log/repeated-errors';
import { toAuditLines } from '@platform/shared/platform/audit/audit-log';
import { createMailCipher } from '@platform/shared/platform/mail/mail-encryption';
import { createMailQueue } from '@platform/shared/platform/mail/mail-queue';
import {
  connectRedis,
  createRedisCheck,
  isSentinelUrl,
  warnUnlessNoEviction,
} from '@platform/shared/redis/redis';
import { createReplicationWait } from '@platform/shared/redis/replication';
import { createPasswordHasher } from './accounts/password-hasher-adapter.ts';
import type { AuthConfig } from './config.ts';
import { createGuessLimits } from './guess-limits/guess-limits-feature.ts';
import { createKindKeys } from './kinds.ts';
import { bindStores } from './stores.ts';

const connect = (config: AuthConfig, { log, metrics }: Runtime) => {
  const pool = connectDatabase({
    url: config.databaseUrl,
    applicationName: 'auth-service',
    maxConnections: config.databaseConnections,
    forceGenericPlans: true,
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  registerDatabaseMetrics(metrics, pool);
  const onRedisError = createErrorLog(log, 'redis connection lost');
  const redis = connectRedis(config.redisUrl, onRedisError);
  const queueRedis = connectRedis(config.queueRedisUrl, onRedisError);
  warnUnlessNoEviction(queueRedis, (message) => log.warn(message));
  return { pool, redis, queueRedis };
};

/**
 * The foundation of every feature: configuration, connections, stores, and mechanisms of the whole process.
 */
export const createInfrastructure = (config: AuthConfig, runtime: Runtime) => {
  const { log, metrics } = runtime;
  const { pool, redis, queueRedis } = connect(config, runtime);
  const { database } = pool;
  const { stores, inTransaction } = bindStores(database, toAuditLines(log));
  const background = createBackground(createErrorLog(log, 'background work failed'));
  const hasher = createPasswordHasher({
    cost: config.bcryptCost,
    maxQueue: config.passwordQueueLimit,
    readHighestCost: stores.accounts.findHighestPasswordCost,
    metrics,
  });
  // A code mail is only in the queue, while the other mails are also in the outbox.
  const waitForReplica = isSentinelUrl(config.queueRedisUrl) ? createReplicationWait(queueRedis) : undefined;
  const mailQueue = createMailQueue(queueRedis, createMailCipher(config.codeSecret), waitForReplica);
  return {
    config,
    log,
    metrics,
    database,
    stores,
    inTransaction,
    redis,
    mailQueue,
    hasher,
    guessLimits: createGuessLimits({ config, stores, background }),
    keys: createKindKeys(config.tokens),
    background,
    checks: {
      postgres: pool.ping,
      migrations: createMigrationCheck(database),
    },
    // Access checks need no writes; sign-in with a password and refresh do not need Redis, either.
    optionalChecks: {
      'postgres-writes': pool.checkWrites,
      redis: createRedisCheck('auth-service', redis, queueRedis),
    },
    close: async () => {
      await background.settle();
      await hasher.close();
      await mailQueue.close();
      redis.destroy();
      queueRedis.destroy();
      await pool.close();
    },
  };
};

export type Infrastructure = ReturnType<typeof createInfrastructure>;
