import { connectDatabase } from '@platform/shared/db/database';
import { loadOpenApiDocument } from '@platform/shared/http/openapi-document';
import type { Composed, Runtime } from '@platform/shared/http/serve';
import { createApp } from './app.ts';
import type { AdminConfig } from './config.ts';
import { helloRoutes } from './hello-routes.ts';
import type { AdminOperations } from './operations.ts';

const DOCUMENT = new URL(import.meta.resolve('@platform/openapi/admin.yaml'));

/** Clients → stores → services → operations → app. */
export const compose = async (config: AdminConfig, { log, metrics }: Runtime): Promise<Composed> => {
  const database = connectDatabase({
    url: config.databaseUrl,
    applicationName: 'admin-service',
    maxConnections: config.databaseConnections,
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  const operations = { ...helloRoutes() } satisfies AdminOperations;

  const app = await createApp({
    log,
    metrics,
    document: await loadOpenApiDocument(DOCUMENT),
    validateResponses: config.validateResponses,
    security: {},
    operations,
  });
  return { app: () => app, checks: { postgres: database.ping }, close: database.close };
};
