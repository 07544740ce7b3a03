import { createAuditLogger } from '@platform/shared/audit/audit-log';
import { connectDatabase, createInTransaction, registerDatabaseMetrics } from '@platform/shared/db/database';
import { createMigrationCheck } from '@platform/shared/db/migration-check';
import { loadOpenApiDocument } from '@platform/shared/http/openapi-document';
import type { ComposedService, Runtime } from '@platform/shared/http/serve';
import type { Log } from '@platform/shared/log/log';
import { createErrorLog } from '@platform/shared/log/repeated-errors';
import { createCodeCipher } from '@platform/shared/mail/code-encryption';
import { createMailQueue } from '@platform/shared/mail/mail-queue';
import { createPasswordHasher, type PasswordHasher } from '@platform/shared/passwords/password-hasher';
import {
  connectQueueRedis,
  connectRedis,
  createRedisCheck,
  isSentinelUrl,
  warnUnlessNoEviction,
} from '@platform/shared/redis/redis';
import { createReplicationWait } from '@platform/shared/redis/replication';
import { createEligibility } from './accounts/account.ts';
import { passwordRoutes, registrationRoutes, signUpRoutes } from './accounts/accounts-routes.ts';
import { createAccountService } from './accounts/accounts-service.ts';
import { createRegistrationService } from './accounts/administrators-service.ts';
import { createPasswordPolicy } from './accounts/password-policy.ts';
import { createPasswordService } from './accounts/passwords-service.ts';
import { createApp } from './app.ts';
import type { AuthConfig } from './config.ts';
import { emailCodeRoutes } from './email-codes/email-codes-routes.ts';
import { createEmailCodeService } from './email-codes/email-codes-service.ts';
import { createCodeHashers, createEmailCodeStore } from './email-codes/email-codes-store.ts';
import { createKindKeys, type Kind, type KindKeys } from './kinds.ts';
import { type AuthOperations, prefixOperations } from './operations.ts';
import { createPasswordThrottle } from './password-throttle/password-throttle.ts';
import { createPasswordThrottleStore } from './password-throttle/password-throttle-store.ts';
import { createSecurity } from './security.ts';
import { createSessionMetrics, type SessionMetrics } from './sessions/session-metrics.ts';
import { createRefreshCookie, createTokenIssuer } from './sessions/session-tokens.ts';
import { sessionListRoutes, sessionRoutes, universalMeRoute } from './sessions/sessions-routes.ts';
import { createSessionService } from './sessions/sessions-service.ts';
import { createSignInService } from './sessions/sign-in-service.ts';
import { createAccessCheckStore } from './sessions/token-records-store.ts';
import { createUndeliveredTokenStore } from './sessions/undelivered-tokens-store.ts';
import { createStores, type Stores } from './stores.ts';

const DOCUMENT = new URL(import.meta.resolve('@platform/openapi/auth.yaml'));

/** Connections → services → operations → app. */
export const compose = async (config: AuthConfig, { log, metrics }: Runtime): Promise<ComposedService> => {
  const connections = connect(config, log);
  const { database, redis, queueRedis, mailQueue } = connections;
  registerDatabaseMetrics(metrics, database);
  const stores = createStores(database, createAuditLogger(log));
  const hasher = createPasswordHasher({
    cost: config.bcryptCost,
    maxQueue: config.passwordQueueLimit,
    readHighestCost: stores.accounts.findHighestPasswordCost,
    metrics,
  });
  const keys = createKindKeys(config.tokens);
  const sessionMetrics = createSessionMetrics(metrics);
  const services = createServices({ config, log, ...connections, stores, hasher, keys, sessionMetrics });

  const app = await createApp({
    log,
    metrics,
    document: await loadOpenApiDocument(DOCUMENT),
    validateResponses: config.validateResponses,
    security: createSecurity({
      keys,
      metrics: sessionMetrics,
      ...createAccessCheckStore(database, config.sessionMaxAgeSeconds),
      ...services.sessions,
      ...services.registration,
    }),
    operations: createOperations(services, keys),
  });
  return {
    app: () => app,
    checks: {
      postgres: database.ping,
      migrations: createMigrationCheck(database),
      redis: createRedisCheck('auth-service', redis, queueRedis),
    },
    close: async () => {
      await hasher.close();
      await mailQueue.close();
      redis.destroy();
      queueRedis.destroy();
      await database.close();
    },
  };
};

const connect = (config: AuthConfig, log: Log) => {
  const database = connectDatabase({
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
  return { database, redis, queueRedis, mailQueue: createMailQueue(queueRedis, waitForReplica) };
};

type ServiceDependencies = ReturnType<typeof connect> & {
  config: AuthConfig;
  log: Log;
  stores: Stores;
  hasher: PasswordHasher;
  keys: KindKeys;
  sessionMetrics: SessionMetrics;
};

const createServices = (dependencies: ServiceDependencies) => {
  const { config, log, database, redis, mailQueue, stores, hasher, keys, sessionMetrics } = dependencies;
  const codeHashers = createCodeHashers(config.codeSecret);
  const [{ hashEmail }] = codeHashers;
  const signInFailures = createPasswordThrottleStore(redis, {
    keyPrefix: 'sign-in-failures',
    toKey: hashEmail,
  });
  const passwordChangeFailures = createPasswordThrottleStore(redis, {
    keyPrefix: 'password-change-failures',
  });

  const logAuditRecord = createAuditLogger(log);
  const eligibility = createEligibility({ administrator: config.adminAllowedDomains });
  const common = {
    stores,
    inTransaction: createInTransaction(database, (transaction, onCommit) =>
      createStores(transaction, (record) => onCommit(() => logAuditRecord(record))),
    ),
    hasher,
    validatePassword: createPasswordPolicy(config),
    tokens: createTokenIssuer(keys),
    metrics: sessionMetrics,
    sessionMaxAgeSeconds: config.sessionMaxAgeSeconds,
  };

  const accounts = createAccountService(common);
  const registration = createRegistrationService({
    ...common,
    requireAllowedDomain: (email) => eligibility.requireAllowedDomain('administrator', email),
    isBootstrapOpen: config.isBootstrapOpen,
  });
  const passwords = createPasswordService({
    ...common,
    withThrottle: createPasswordThrottle(passwordChangeFailures),
    resetAccountLimits: async ({ email, userId }) => {
      await Promise.all([
        signInFailures.resetAccountLimit(email),
        passwordChangeFailures.resetAccountLimit(userId),
      ]);
    },
  });
  const emailCodes = createEmailCodeService({
    ...common,
    codes: createEmailCodeStore(redis, codeHashers),
    mailQueue,
    cipher: createCodeCipher(config.codeSecret),
    findAccount: accounts.findEligible,
    markEmailVerified: accounts.markEmailVerified,
    resetPassword: passwords.resetPassword,
  });
  const signIn = createSignInService({
    ...common,
    rehashPassword: passwords.rehashPassword,
    withThrottle: createPasswordThrottle(signInFailures),
    eligibility,
  });
  const sessions = createSessionService({
    ...common,
    undeliveredTokens: createUndeliveredTokenStore(redis, (message, error) =>
      log.warn({ err: error }, message),
    ),
    reuseLeewaySeconds: config.reuseLeewaySeconds,
    logWarning: (message, details) => log.warn(details, message),
  });
  return { accounts, registration, passwords, emailCodes, signIn, sessions };
};

type Services = ReturnType<typeof createServices>;

const createOperations = (services: Services, keys: KindKeys): AuthOperations => {
  const { accounts, registration, passwords, emailCodes, signIn, sessions } = services;
  const refreshCookie = createRefreshCookie(keys);
  const createKindRoutes = <K extends Kind>(kind: K) =>
    prefixOperations(kind, {
      ...passwordRoutes(passwords),
      ...sessionRoutes(kind, signIn, sessions, refreshCookie),
      ...sessionListRoutes(sessions),
      ...emailCodeRoutes(kind, emailCodes),
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
