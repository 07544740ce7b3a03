import { connectDatabase, createInTransaction, registerDatabaseMetrics } from '@platform/shared/db/database';
import { loadOpenApiDocument } from '@platform/shared/http/openapi-document';
import type { ComposedService, Runtime } from '@platform/shared/http/serve';
import { createCodeCipher } from '@platform/shared/mail/code-encryption';
import { createMailQueue } from '@platform/shared/mail/mail-queue';
import { createPasswordHasher } from '@platform/shared/passwords/password-hasher';
import { connectRedis, warnUnlessNoEviction } from '@platform/shared/redis/redis';
import { createAdmission } from './accounts/account.ts';
import { passwordRoutes, registrationRoutes, signUpRoutes } from './accounts/accounts-routes.ts';
import { createAccountService } from './accounts/accounts-service.ts';
import { createRegistrationService } from './accounts/administrators-service.ts';
import { createCommonPasswords } from './accounts/common-passwords.ts';
import { createPasswordPolicy } from './accounts/password-policy.ts';
import { createPasswordService } from './accounts/passwords-service.ts';
import { createApp } from './app.ts';
import type { AuthConfig } from './config.ts';
import { createCodeHashers } from './email-codes/code-hasher.ts';
import { createCodeMailQueue } from './email-codes/code-mail-queue.ts';
import { emailCodeRoutes } from './email-codes/email-codes-routes.ts';
import { createEmailCodeService } from './email-codes/email-codes-service.ts';
import { createEmailCodeStore } from './email-codes/email-codes-store.ts';
import { createKindKeys, type Kind } from './kinds.ts';
import { type AuthOperations, nameFor } from './operations.ts';
import { createPasswordThrottle } from './password-throttle/password-throttle-service.ts';
import { createPasswordThrottleStore } from './password-throttle/password-throttle-store.ts';
import { createSecurity } from './security.ts';
import { createAccessCheckStore } from './sessions/access-check-store.ts';
import { createSessionOutcomes } from './sessions/session-metrics.ts';
import { createRefreshCookie, createTokenPairs } from './sessions/session-tokens.ts';
import { ownSessionRoutes, sessionRoutes, universalRoutes } from './sessions/sessions-routes.ts';
import { createSessionService } from './sessions/sessions-service.ts';
import { createStores } from './stores.ts';

const DOCUMENT = new URL(import.meta.resolve('@platform/openapi/auth.yaml'));

/** Clients → stores → services → operations → app. */
export const compose = async (config: AuthConfig, { log, metrics }: Runtime): Promise<ComposedService> => {
  const database = connectDatabase({
    url: config.databaseUrl,
    applicationName: 'auth-service',
    maxConnections: config.databaseConnections,
    forceGenericPlans: true,
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  const redis = connectRedis(config.redisUrl, (error) => log.warn({ err: error }, 'redis connection lost'));
  warnUnlessNoEviction(redis, (message) => log.warn(message));
  const mailQueue = createMailQueue(redis);
  const observeHash = metrics.histogram(
    'password_hash_duration_seconds',
    'Time from asking for a hash or a comparison of a password to its result, waiting included',
    {},
  );
  const countRounds = metrics.counter(
    'password_hash_rounds_total',
    'Rounds of bcrypt computed for hashes and comparisons of passwords',
    {},
  );
  const keys = createKindKeys(config.tokens);
  const stores = createStores(database);
  const hasher = createPasswordHasher({
    cost: config.bcryptCost,
    maxQueue: config.passwordQueueLimit,
    readHighestCost: stores.accounts.findHighestPasswordCost,
    onDone: (seconds, rounds) => {
      observeHash({}, seconds);
      countRounds({}, rounds);
    },
  });
  const inTransaction = createInTransaction(database, createStores);

  const hashers = createCodeHashers(config.codeSecret);
  const requireGoodPassword = createPasswordPolicy({
    isCommon: createCommonPasswords(config.refusesCommonPasswords),
  });
  const accounts = createAccountService({
    accounts: stores.accounts,
    inTransaction,
    hashPassword: hasher.hash,
    requireGoodPassword,
  });
  const admission = createAdmission({ administrator: config.adminAllowedDomains });
  const registration = createRegistrationService({
    stores,
    inTransaction,
    hashPassword: hasher.hash,
    requireGoodPassword,
    requireAllowedDomain: (email) => admission.requireAllowedDomain('administrator', email),
    isBootstrapOpen: config.isBootstrapOpen,
  });
  const [{ hashEmail }] = hashers;
  const signInFailures = createPasswordThrottleStore(
    redis,
    (email) => `sign-in-failures:{${hashEmail(email)}}`,
  );
  const passwordChangeFailures = createPasswordThrottleStore(
    redis,
    (userId) => `password-change-failures:{${userId}}`,
  );
  const passwords = createPasswordService({
    stores,
    inTransaction,
    hashPassword: hasher.hash,
    comparePassword: hasher.compare,
    requireGoodPassword,
    isOutdated: hasher.isOutdated,
    withThrottle: createPasswordThrottle(passwordChangeFailures),
    liftAccountLimits: async ({ email, userId }) => {
      await Promise.all([
        signInFailures.liftAccountLimit(email),
        passwordChangeFailures.liftAccountLimit(userId),
      ]);
    },
  });
  const emailCodes = createEmailCodeService({
    codes: createEmailCodeStore(redis, hashers),
    queueMail: createCodeMailQueue(mailQueue, createCodeCipher(config.codeSecret)),
    findAccount: accounts.findMember,
    markEmailVerified: accounts.markEmailVerified,
    hashPassword: hasher.hash,
    requireGoodPassword,
    resetPassword: passwords.resetPassword,
  });
  const outcomes = createSessionOutcomes(metrics);
  const sessions = outcomes.countSessions(
    createSessionService({
      stores,
      inTransaction,
      tokenPairs: createTokenPairs(keys),
      findAccount: accounts.find,
      comparePassword: hasher.compare,
      renewHash: passwords.renewHash,
      withThrottle: createPasswordThrottle(signInFailures),
      sessionMaxAgeSeconds: config.sessionMaxAgeSeconds,
      admission,
      reuseLeewaySeconds: config.reuseLeewaySeconds,
      note: (event, details) => log.warn(details, event),
    }),
  );

  const refreshCookie = createRefreshCookie(keys);
  const routesOf = <K extends Kind>(kind: K) =>
    nameFor(kind, {
      ...passwordRoutes(passwords),
      ...sessionRoutes(kind, sessions, refreshCookie),
      ...ownSessionRoutes(sessions),
      ...emailCodeRoutes(kind, emailCodes),
    });
  const operations = {
    ...routesOf('customer'),
    ...routesOf('employee'),
    ...routesOf('administrator'),
    ...nameFor('customer', signUpRoutes('customer', accounts)),
    ...nameFor('employee', signUpRoutes('employee', accounts)),
    ...registrationRoutes(registration),
    ...universalRoutes(),
  } satisfies AuthOperations;

  metrics.gauge('password_queue_length', 'Passwords waiting to be hashed or compared', hasher.waiting);
  registerDatabaseMetrics(metrics, database);

  const app = await createApp({
    log,
    metrics,
    document: await loadOpenApiDocument(DOCUMENT),
    validateResponses: config.validateResponses,
    security: outcomes.countRefusals(
      createSecurity({
        keys,
        ...createAccessCheckStore(database, config.sessionMaxAgeSeconds),
        ...sessions,
        ...registration,
      }),
    ),
    operations,
  });
  return {
    app: () => app,
    checks: { postgres: database.ping, redis: () => redis.ping() },
    close: async () => {
      await hasher.close();
      await mailQueue.close();
      redis.destroy();
      await database.close();
    },
  };
};
