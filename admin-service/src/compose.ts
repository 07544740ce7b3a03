import { connectDatabase, createInTransaction, registerDatabaseMetrics } from '@platform/shared/db/database';
import { loadOpenApiDocument } from '@platform/shared/http/openapi-document';
import type { ComposedService, Runtime } from '@platform/shared/http/serve';
import type { Log } from '@platform/shared/log/log';
import { createTokenKeys } from '@platform/shared/tokens/tokens';
import { createApp } from './app.ts';
import { auditLogRoutes } from './audit-log/audit-log-routes.ts';
import { createAuditLogService } from './audit-log/audit-log-service.ts';
import type { AdminConfig } from './config.ts';
import { contactRoutes } from './contact/contact-routes.ts';
import { createContactService } from './contact/contact-service.ts';
import type { AdminOperations } from './operations.ts';
import { projectRoutes } from './projects/projects-routes.ts';
import { createProjectService } from './projects/projects-service.ts';
import type { QueueBoard } from './queues/bull-board.ts';
import { queuePages, queueRoutes } from './queues/queue-dashboard.ts';
import { createQueueSession, QUEUES_PATH } from './queues/queue-session.ts';
import { createSecurity } from './security.ts';
import { createStores } from './stores.ts';
import { teamRoutes } from './teams/teams-routes.ts';
import { createTeamService } from './teams/teams-service.ts';
import { userRoutes } from './users/users-routes.ts';
import { createUserService } from './users/users-service.ts';
import { createCallerStore } from './workspaces/callers-store.ts';
import { workspaceRoutes } from './workspaces/workspaces-routes.ts';

const DOCUMENT = new URL(import.meta.resolve('@platform/openapi/admin.yaml'));

/** Redis and bull-board are for the page of queues alone, so they are loaded and connected when it is first opened. */
const createQueueOpener = (redisUrl: string | undefined, log: Log) => {
  let board: Promise<QueueBoard> | undefined;
  const onError = (error: Error) => log.warn({ err: error }, 'redis connection lost');
  const open = async (url: string, trustProxy: unknown): Promise<QueueBoard> => {
    const { createQueueBoard } = await import('./queues/bull-board.ts');
    return createQueueBoard({ redisUrl: url, path: QUEUES_PATH, trustProxy, onError });
  };
  return {
    open:
      redisUrl === undefined
        ? undefined
        : (trustProxy: unknown) => {
            board ??= open(redisUrl, trustProxy);
            return board;
          },
    close: async () => (await board)?.close(),
  };
};

/** Clients → stores → services → operations → app. */
export const compose = async (config: AdminConfig, { log, metrics }: Runtime): Promise<ComposedService> => {
  const database = connectDatabase({
    url: config.databaseUrl,
    applicationName: 'admin-service',
    maxConnections: config.databaseConnections,
    forceGenericPlans: true,
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  registerDatabaseMetrics(metrics, database);
  const stores = createStores(database);
  const callers = createCallerStore(database);
  const inTransaction = createInTransaction(database, createStores);
  const queueSession = createQueueSession(config.accessSecret);
  const queues = createQueueOpener(config.redisUrl, log);
  const security = createSecurity({
    accessKeys: createTokenKeys(config.accessSecret),
    checkAccess: callers.checkAccess,
  });
  const operations = {
    hello: () => ({ status: 200, body: { message: 'Hello API' } }),
    ...workspaceRoutes(),
    ...userRoutes(createUserService({ stores, inTransaction })),
    ...projectRoutes(createProjectService({ stores, inTransaction })),
    ...teamRoutes(createTeamService({ stores, inTransaction })),
    ...auditLogRoutes(createAuditLogService(stores.auditLog)),
    ...queueRoutes({ open: queueSession.open, hasQueues: queues.open !== undefined }),
    ...contactRoutes(createContactService({ inTransaction, inbox: config.contactInbox })),
  } satisfies AdminOperations;

  const app = await createApp({
    log,
    metrics,
    document: await loadOpenApiDocument(DOCUMENT),
    validateResponses: config.validateResponses,
    security,
    pages: queuePages({
      access: security['jwt-admin-access'],
      readSession: queueSession.read,
      checkPageAccess: callers.checkPageAccess,
      audit: stores.audit,
      openBoard: queues.open,
    }),
    operations,
  });
  return {
    app: () => app,
    checks: { postgres: database.ping },
    close: async () => {
      await queues.close();
      await database.close();
    },
  };
};
