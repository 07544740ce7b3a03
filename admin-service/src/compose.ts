import { createBackground } from '@platform/shared/async/tasks';
import {
  connectDatabase,
  createInTransaction,
  type DatabasePool,
  query,
  registerDatabaseMetrics,
} from '@platform/shared/db/database';
import { createMigrationCheck } from '@platform/shared/db/migration-check';
import { createApiApp } from '@platform/shared/http/create-api-app';
import { loadOpenApiDocument } from '@platform/shared/http/openapi-document';
import { withReadiness } from '@platform/shared/http/ops-listener';
import type { ComposedService, Runtime } from '@platform/shared/http/serve';
import type { Log } from '@platform/shared/log/log';
import { createErrorLog } from '@platform/shared/log/repeated-errors';
import { createLanguageUpdate, createSecondFactorRequirement } from '@platform/shared/platform/access/caller';
import { toAuditLines } from '@platform/shared/platform/audit/audit-log';
import { numberEvents } from '@platform/shared/platform/audit/number-events';
import { withInternalApi } from '@platform/shared/platform/services/internal-api';
import { createTokenKeys } from '@platform/shared/tokens/tokens';
import { auditLogRoutes } from './audit-log/audit-log-routes.ts';
import { createAuditLogStore } from './audit-log/audit-log-store.ts';
import type { AdminConfig } from './config.ts';
import { contactRoutes } from './contact/contact-routes.ts';
import { eventRoutes } from './events/events-routes.ts';
import { createEventService } from './events/events-service.ts';
import { createEventStore } from './events/events-store.ts';
import { createLists, type Read } from './lists/lists.ts';
import { readFromReplica } from './lists/replica-adapter.ts';
import { projectRoutes } from './projects/projects-routes.ts';
import { createProjectService } from './projects/projects-service.ts';
import {
  createQueueBoardLoader,
  createQueueDashboard,
  queueRoutes,
} from './queues/queue-dashboard-routes.ts';
import { createQueueSession } from './queues/queue-session-adapter.ts';
import {
  type AdminOperations,
  createSecurity,
  type InternalOperations,
  withWorkspaceGuard,
} from './security.ts';
import { createStores } from './stores.ts';
import { teamRoutes } from './teams/teams-routes.ts';
import { createTeamService } from './teams/teams-service.ts';
import { usersByIdRoutes } from './users/users-by-id-routes.ts';
import { userRoutes } from './users/users-routes.ts';
import { createUserService } from './users/users-service.ts';
import { createCallerStore } from './workspaces/callers-store.ts';
import { workspaceRoutes } from './workspaces/workspaces-routes.ts';

const load = (file: string) => loadOpenApiDocument(new URL(file));
const document = await load(import.meta.resolve('@platform/openapi/admin.yaml'));
const internalDocument = await load(import.meta.resolve('@platform/openapi/internal.yaml'));

/** Creates the clients, then the stores, services, operations and the app. */
export const compose = async (
  config: AdminConfig,
  { log, metrics, stopping = new AbortController().signal }: Runtime,
): Promise<ComposedService> => {
  const { pool, read, search, pools } = connectDatabases(config, log);
  registerDatabaseMetrics(metrics, ...pools);
  const { database } = pool;
  const auditLines = toAuditLines(log);
  const stores = createStores(database, auditLines);
  const inTransaction = createInTransaction(database, (transaction) => createStores(transaction, auditLines));
  const fetchPage = createLists({ read, search });
  const queueSession = createQueueSession(config.accessSecret);
  const queueBoard = createQueueBoardLoader(config.queueRedisUrl, log);
  const background = createBackground(createErrorLog(log, 'background work failed'));
  const callers = createCallerStore(database);
  const security = createSecurity({
    accessKeys: createTokenKeys(config.accessSecret),
    checkAccess: callers.checkAccess,
    updateLanguage: createLanguageUpdate(database, background),
  });
  const requireSecondFactor = createSecondFactorRequirement(config.secondFactorRequiredFor);
  const operations = {
    hello: () => ({ status: 200, body: { message: 'Hello API' } }),
    ...workspaceRoutes(),
    ...userRoutes({ users: createUserService({ ...config, stores, inTransaction }), fetchPage }),
    ...projectRoutes({ projects: createProjectService({ stores, inTransaction }), fetchPage }),
    ...teamRoutes({ teams: createTeamService({ stores, inTransaction }), fetchPage }),
    ...auditLogRoutes(createAuditLogStore(read)),
    ...queueRoutes({
      createCookie: queueSession.createCookie,
      isConfigured: queueBoard.load !== undefined,
    }),
    ...contactRoutes({ inTransaction, inbox: config.contactInbox }),
  } satisfies AdminOperations;

  const app = await createApiApp({
    log,
    metrics,
    document,
    docsPath: '/api/v1/docs',
    validateResponses: config.validateResponses,
    // Clients of the back office should learn immediately that a field is not supported.
    unknownFields: 'reject',
    security: withWorkspaceGuard(security, document, requireSecondFactor),
    pages: createQueueDashboard({
      authenticateBearer: security['jwt-admin-access'],
      verifyCookie: queueSession.verifyCookie,
      checkDashboardAccess: callers.checkDashboardAccess,
      requireSecondFactor,
      auditLog: stores.audit,
      loader: queueBoard,
    }),
    operations,
  });
  const events = createEventService({
    // Must not use a replica, which may lack positions that a reader knows.
    events: createEventStore(database),
    numberEvents: () => numberEvents(database),
    metrics,
    stopping,
  });
  const internalOperations = {
    ...usersByIdRoutes(stores.users),
    ...eventRoutes(events, config.eventSource),
  } satisfies InternalOperations;
  const internal = {
    log,
    metrics,
    service: 'admin-service',
    document: internalDocument,
    secrets: config.serviceSecrets,
    validateResponses: config.validateResponses,
    unknownFields: 'reject' as const,
    operations: internalOperations,
  };
  const listener = await withInternalApi(internal, app);
  return {
    app: (readiness) => withReadiness(readiness, listener),
    checks: { postgres: pool.ping, migrations: createMigrationCheck(database) },
    optionalChecks: { 'postgres-writes': pool.checkWrites },
    close: async () => {
      await background.settle();
      await queueBoard.close();
      await Promise.all(pools.map(({ close }) => close()));
    },
  };
};

/** Lists and searches have separate connections, so that they do not delay each other or short queries. */
const connectDatabases = (config: AdminConfig, log: Log) => {
  const connect = (url: string, maxConnections: number, forceGenericPlans = false): DatabasePool =>
    connectDatabase({
      url,
      applicationName: 'admin-service',
      maxConnections,
      forceGenericPlans,
      onError: (error) => log.warn({ err: error }, 'database connection lost'),
    });
  const pools: DatabasePool[] = [];
  const connectRead = (maxConnections: number): Read => {
    const primary = connect(config.databaseUrl, maxConnections);
    pools.push(primary);
    if (config.databaseReadUrl === undefined) return (statement) => query(primary.database, statement);
    const replica = connect(config.databaseReadUrl, maxConnections);
    pools.push(replica);
    return readFromReplica({ replica: replica.database, primary: primary.database, log });
  };
  const { short, lists, searches } = config.databaseConnections;
  const pool = connect(config.databaseUrl, short, true);
  pools.push(pool);
  return { pool, read: connectRead(lists), search: connectRead(searches), pools };
};
