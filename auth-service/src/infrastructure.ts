import { createBackground } from '@platform/shared/async/tasks';
import type { Secret } from '@platform/shared/config/secrets';
import { connectDatabase, type InTransaction, registerDatabaseMetrics } from '@platform/shared/db/database';
import { createMigrationCheck } from '@platform/shared/db/migration-check';
import { createErrorLog } from '@platform/shared/log/repeated-errors';
import { createBotCheck } from '@platform/shared/platform/bot-check/bot-check';
import type { BotCheckSettings } from '@platform/shared/platform/bot-check/bot-check-settings';
import { createMailCipher } from '@platform/shared/platform/mail/mail-encryption';
import { createMailQueue } from '@platform/shared/platform/mail/mail-queue';
import {
  connectRedis,
  createRedisCheck,
  isSentinelUrl,
  warnUnlessNoEviction,
} from '@platform/shared/redis/redis';
import { createRedisMemoryCheck, registerRedisMemory } from '@platform/shared/redis/redis-memory';
import { createReplicationWait } from '@platform/shared/redis/replication';
import type { Runtime } from '@platform/shared/server/serve';
import { createKindKeys, type Kind, type TokenSettings } from './kinds.ts';

type Config = {
  databaseUrl: string;
  databaseConnections: number;
  redisUrl: string;
  queueRedisUrl: string;
  codeSecret: Secret;
  botCheck: BotCheckSettings | undefined;
  tokens: Record<Kind, TokenSettings>;
};

const connect = (config: Config, { log, metrics }: Runtime) => {
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
  registerRedisMemory(metrics, redis);
  const queueRedis = connectRedis(config.queueRedisUrl, onRedisError);
  warnUnlessNoEviction(queueRedis, (message) => log.warn(message));
  return { pool, redis, queueRedis };
};

/** The connections and mechanisms of the whole process, which know no feature. */
export const createInfrastructure = (config: Config, runtime: Runtime) => {
  const { log, metrics } = runtime;
  const { pool, redis, queueRedis } = connect(config, runtime);
  const { database } = pool;
  const background = createBackground(createErrorLog(log, 'background work failed'));
  // A code mail is only in the queue, while the other mails are also in the outbox.
  const waitForReplica = isSentinelUrl(config.queueRedisUrl) ? createReplicationWait(queueRedis) : undefined;
  const mailQueue = createMailQueue(queueRedis, createMailCipher(config.codeSecret), waitForReplica);
  return {
    log,
    metrics,
    database,
    redis,
    mailQueue,
    /** Undefined where bots are not checked. */
    botCheck: config.botCheck && createBotCheck({ ...config.botCheck, redis, metrics }),
    keys: createKindKeys(config.tokens),
    background,
    checks: {
      postgres: pool.ping,
      migrations: createMigrationCheck(database, log),
    },
    // Access checks need no writes; sign-in with a password and refresh do not need Redis, either.
    optionalChecks: {
      'postgres-writes': pool.checkWrites,
      redis: createRedisCheck('auth-service', redis, queueRedis),
      'redis-memory': createRedisMemoryCheck(redis, queueRedis),
      clock: pool.checkClock,
    },
    close: async () => {
      await background.settle();
      await mailQueue.close();
      redis.destroy();
      queueRedis.destroy();
      await pool.close();
    },
  };
};

export type { InTransaction };

export type Infrastructure = ReturnType<typeof createInfrastructure>;

/** A feature is built from the infrastructure, and from the stores and settings that it names. */
export type Base<Stores, Config = unknown> = Infrastructure & {
  config: Config;
  stores: Stores;
  inTransaction: InTransaction<Stores>;
};
