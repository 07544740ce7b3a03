import { connectDatabase } from '@platform/shared/db/database';
import { measureDatabase } from '@platform/shared/db/database-metrics';
import { loadOpenApiDocument } from '@platform/shared/http/openapi-document';
import type { Composed, Runtime } from '@platform/shared/http/serve';
import { createTokenKeys } from '@platform/shared/tokens/tokens';
import { createApp } from './app.ts';
import { auditLogRoutes } from './audit-log/audit-log-routes.ts';
import { createAuditLogService } from './audit-log/audit-log-service.ts';
import type { AdminConfig } from './config.ts';
import { contactRoutes } from './contact/contact-routes.ts';
import { createContactService } from './contact/contact-service.ts';
import { helloRoutes } from './hello/hello-routes.ts';
import type { AdminOperations } from './operations.ts';
import { projectRoutes } from './projects/projects-routes.ts';
import { createProjectService } from './projects/projects-service.ts';
import { createSecurity } from './security.ts';
import { createStores, createTransactor } from './stores.ts';
import { teamRoutes } from './teams/teams-routes.ts';
import { createTeamService } from './teams/teams-service.ts';
import { userRoutes } from './users/users-routes.ts';
import { createUserService } from './users/users-service.ts';
import { workspaceRoutes } from './workspaces/workspaces-routes.ts';
import { createWorkspaceService } from './workspaces/workspaces-service.ts';

const DOCUMENT = new URL(import.meta.resolve('@platform/openapi/admin.yaml'));

/** Clients → stores → services → operations → app. */
export const compose = async (config: AdminConfig, { log, metrics }: Runtime): Promise<Composed> => {
  const database = connectDatabase({
    url: config.databaseUrl,
    applicationName: 'admin-service',
    maxConnections: config.databaseConnections,
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  measureDatabase(metrics, database, config.databaseConnections);
  const stores = createStores(database);
  const inTransaction = createTransactor(database);
  const operations = {
    ...helloRoutes(),
    ...workspaceRoutes(createWorkspaceService()),
    ...userRoutes(createUserService({ stores, inTransaction })),
    ...projectRoutes(createProjectService({ stores, inTransaction })),
    ...teamRoutes(createTeamService({ stores, inTransaction })),
    ...auditLogRoutes(createAuditLogService(stores.auditLog)),
    ...contactRoutes(createContactService({ inTransaction, inbox: config.contactInbox })),
  } satisfies AdminOperations;

  const app = await createApp({
    log,
    metrics,
    document: await loadOpenApiDocument(DOCUMENT),
    validateResponses: config.validateResponses,
    security: createSecurity({
      accessKeys: createTokenKeys(config.accessSecret),
      findCaller: stores.callers.findByAccessToken,
    }),
    operations,
  });
  return { app: () => app, checks: { postgres: database.ping }, close: database.close };
};
