import { connectDatabase } from '@platform/shared/db/database';
import { loadOpenApiDocument } from '@platform/shared/http/openapi-document';
import type { Composed, Runtime } from '@platform/shared/http/serve';
import { createPasswordHasher } from '@platform/shared/passwords/password-hasher';
import { accountRoutes } from './accounts/accounts-routes.ts';
import { createAccountService } from './accounts/accounts-service.ts';
import { createApp } from './app.ts';
import type { AuthConfig } from './config.ts';
import { createKindKeys, type Kind } from './kinds.ts';
import { type AuthOperations, nameFor } from './operations.ts';
import { createSecurity } from './security.ts';
import { createRefreshCookie } from './sessions/refresh-cookie.ts';
import { sessionRoutes, universalRoutes } from './sessions/sessions-routes.ts';
import { createSessionService } from './sessions/sessions-service.ts';
import { createTokenPairs } from './sessions/token-pairs.ts';
import { createStores, createTransactor } from './stores.ts';

const DOCUMENT = new URL(import.meta.resolve('@platform/openapi/auth.yaml'));

/** Clients → stores → services → operations → app. */
export const compose = async (config: AuthConfig, { log, metrics }: Runtime): Promise<Composed> => {
  const database = connectDatabase({
    url: config.databaseUrl,
    applicationName: 'auth-service',
    maxConnections: config.databaseConnections,
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  const passwords = createPasswordHasher({ cost: config.bcryptCost, maxQueue: config.passwordQueueLimit });
  const keys = createKindKeys(config.tokens);
  const stores = createStores(database);

  const accounts = createAccountService({ accounts: stores.accounts, hashPassword: passwords.hash });
  const sessions = createSessionService({
    stores,
    inTransaction: createTransactor(database),
    tokenPairs: createTokenPairs(keys),
    findAccount: stores.accounts.findByEmail,
    comparePassword: passwords.compare,
    reuseLeewaySeconds: config.reuseLeewaySeconds,
    note: (event, details) => log.warn(details, event),
  });

  const refreshCookie = createRefreshCookie(keys);
  const routesOf = <K extends Kind>(kind: K) =>
    nameFor(kind, { ...accountRoutes(kind, accounts), ...sessionRoutes(kind, sessions, refreshCookie) });
  const operations = {
    ...routesOf('customer'),
    ...routesOf('employee'),
    ...universalRoutes(),
  } satisfies AuthOperations;

  metrics.gauge('password_queue_length', 'Passwords waiting to be hashed or compared', passwords.waiting);
  metrics.gauge('database_connections', 'Connections to Postgres', () => database.usage().total);
  metrics.gauge('database_waiting', 'Requests waiting for a connection', () => database.usage().waiting);

  const app = await createApp({
    log,
    metrics,
    document: await loadOpenApiDocument(DOCUMENT),
    validateResponses: config.validateResponses,
    security: createSecurity({ keys, ...sessions }),
    operations,
  });
  return {
    app: () => app,
    checks: { postgres: database.ping },
    close: async () => {
      await passwords.close();
      await database.close();
    },
  };
};
