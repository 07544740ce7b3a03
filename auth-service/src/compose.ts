import { createSecondFactorRequirement } from '@platform/shared/access/second-factor-requirement';
import { createLanguageUpdate } from '@platform/shared/access/stored-language';
import { createBackground } from '@platform/shared/async/background';
import { connectDatabase, registerDatabaseMetrics } from '@platform/shared/db/database';
import { createMigrationCheck } from '@platform/shared/db/migration-check';
import { loadOpenApiDocument } from '@platform/shared/http/openapi-document';
import type { ComposedService, Runtime } from '@platform/shared/http/serve';
import type { Log } from '@platform/shared/log/log';
import { createErrorLog } from '@platform/shared/log/repeated-errors';
import { createCodeCipher } from '@platform/shared/mail/code-encryption';
import { createMailQueue } from '@platform/shared/mail/mail-queue';
import { createPasswordHasher } from '@platform/shared/passwords/password-hasher';
import {
  connectQueueRedis,
  connectRedis,
  createRedisCheck,
  isSentinelUrl,
  warnUnlessNoEviction,
} from '@platform/shared/redis/redis';
import { createReplicationWait } from '@platform/shared/redis/replication';
import { passwordRoutes, registrationRoutes, signUpRoutes } from './accounts/accounts-routes.ts';
import { createApp } from './app.ts';
import type { AuthConfig } from './config.ts';
import { emailCodeRoutes } from './email-codes/email-codes-routes.ts';
import { createKindKeys, type Kind, type KindKeys } from './kinds.ts';
import { type AuthOperations, prefixOperations } from './operations.ts';
import { ownAccountRoutes } from './own-account/own-account-routes.ts';
import { withoutPasskeys } from './passkeys/passkey-operations.ts';
import { factorOptionsRoutes, passkeyRoutes } from './passkeys/passkeys-routes.ts';
import { secondFactorRoutes } from './second-factor/second-factor-routes.ts';
import { createSecurity } from './security.ts';
import { createServices, type Services } from './services.ts';
import { passkeySignInRoutes } from './sessions/passkey-sign-in-routes.ts';
import { createSessionMetrics } from './sessions/session-metrics.ts';
import { clearRefreshCookie, createRefreshCookie } from './sessions/session-tokens.ts';
import { sessionListRoutes, sessionRoutes, universalMeRoute } from './sessions/sessions-routes.ts';
import { createAccessCheckStore } from './sessions/token-records-store.ts';
import { createStores } from './stores.ts';

const DOCUMENT = new URL(import.meta.resolve('@platform/openapi/auth.yaml'));

/** Connections → services → operations → app. */
export const compose = async (config: AuthConfig, { log, metrics }: Runtime): Promise<ComposedService> => {
  const connections = connect(config, log);
  const { pool, database, redis, queueRedis, mailQueue } = connections;
  registerDatabaseMetrics(metrics, pool);
  const stores = createStores(database, log);
  const hasher = createPasswordHasher({
    cost: config.bcryptCost,
    maxQueue: config.passwordQueueLimit,
    readHighestCost: stores.accounts.findHighestPasswordCost,
    metrics,
  });
  const keys = createKindKeys(config.tokens);
  const sessionMetrics = createSessionMetrics(metrics);
  const background = createBackground(createErrorLog(log, 'background work failed'));
  const services = createServices({
    config,
    log,
    metrics,
    ...connections,
    stores,
    hasher,
    keys,
    sessionMetrics,
    background,
  });

  const complete = {
    document: await loadOpenApiDocument(DOCUMENT),
    operations: createOperations(services, keys),
  };
  const { document, operations } = config.webauthn
    ? complete
    : withoutPasskeys(complete.document, complete.operations);
  const app = await createApp({
    log,
    metrics,
    document,
    validateResponses: config.validateResponses,
    security: createSecurity({
      keys,
      metrics: sessionMetrics,
      ...createAccessCheckStore(database, config.sessionMaxAgeSeconds),
      ...services.sessions,
      requireSecondFactor: createSecondFactorRequirement(config.secondFactorRequiredFor),
      ...services.registration,
      updateLanguage: createLanguageUpdate(database, background),
    }),
    operations,
  });
  return {
    app: () => app,
    checks: {
      postgres: pool.ping,
      migrations: createMigrationCheck(database),
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

const connect = (config: AuthConfig, log: Log) => {
  const pool = connectDatabase({
    url: config.databaseUrl,
    applicationName: 'auth-service',
    maxConnections: config.databaseConnections,
    forceGenericPlans: true,
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  const onRedisError = createErrorLog(log, 'redis connection lost');
  const redis = connectRedis(config.redisUrl, onRedisError);
  const queueRedis = connectQueueRedis(config.queueRedisUrl, onRedisError);
  warnUnlessNoEviction(queueRedis, (message) => log.warn(message));
  // A code mail is only in the queue; the other mails are in the outbox too.
  const waitForReplica = isSentinelUrl(config.queueRedisUrl) ? createReplicationWait(queueRedis) : undefined;
  const mailQueue = createMailQueue(queueRedis, createCodeCipher(config.codeSecret), waitForReplica);
  return { pool, database: pool.database, redis, queueRedis, mailQueue };
};

const createOperations = (services: Services, keys: KindKeys): AuthOperations => {
  const {
    accounts,
    registration,
    passwords,
    emailCodes,
    emailChanges,
    ownAccounts,
    secondFactor,
    assertions,
    passkeys,
    passkeySignIn,
    signIn,
    secondStep,
    sessions,
  } = services;
  const refreshCookie = createRefreshCookie(keys);
  const createKindRoutes = <K extends Kind>(kind: K) =>
    prefixOperations(kind, {
      ...passwordRoutes(passwords),
      ...sessionRoutes(kind, signIn, secondStep, sessions, refreshCookie),
      ...secondFactorRoutes(secondFactor),
      ...passkeyRoutes(passkeys),
      ...factorOptionsRoutes(kind, assertions, secondStep.findChallenge),
      ...passkeySignInRoutes(kind, passkeySignIn, assertions.createSignInOptions, refreshCookie),
      ...sessionListRoutes(sessions),
      ...emailCodeRoutes(kind, emailCodes),
      ...ownAccountRoutes(kind, emailChanges, ownAccounts, clearRefreshCookie),
    });
  return {
    ...createKindRoutes('customer'),
    ...createKindRoutes('employee'),
    ...createKindRoutes('administrator'),
    ...prefixOperations('customer', signUpRoutes('customer', accounts)),
    ...prefixOperations('employee', signUpRoutes('employee', accounts)),
    ...registrationRoutes(registration),
    ...universalMeRoute(),
  };
};
