import { connectDatabase } from '@platform/shared/db/database';
import { AppError } from '@platform/shared/errors/app-error';
import { createApiApp } from '@platform/shared/openapi/create-api-app';
import { loadOpenApiDocument } from '@platform/shared/openapi/openapi-document';
import type { ComposedService, Runtime } from '@platform/shared/server/serve';
import type { TestBenchConfig } from './config.ts';
import { faultRoutes } from './faults/faults-routes.ts';
import { createFaultService } from './faults/faults-service.ts';
import { loadPlatformOperations } from './faults/platform-operations.ts';
import { labelRoutes } from './labels/labels-routes.ts';
import { createNetworkService } from './labels/networks-service.ts';
import { createNetworkStore } from './labels/networks-store.ts';
import { createInboxClient } from './mails/inbox-client.ts';
import { mailRoutes } from './mails/mails-routes.ts';
import { createMailService } from './mails/mails-service.ts';
import { requireMark } from './mark/mark.ts';
import type { TestBenchOperations } from './operations.ts';
import { startProxy } from './proxy/proxy.ts';
import { createSecurity } from './security.ts';

const document = await loadOpenApiDocument(new URL(import.meta.resolve('@platform/openapi/test-bench.yaml')));

const connect = ({ auth }: TestBenchConfig, { log }: Runtime) =>
  connectDatabase({
    url: auth.databaseUrl,
    applicationName: 'test-bench',
    maxConnections: 5,
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });

/** Starts the proxy, and creates the features and the app. @throws ConfigError if the database has no mark */
export const compose = async (config: TestBenchConfig, runtime: Runtime): Promise<ComposedService> => {
  const pool = connect(config, runtime);
  await requireMark(pool.database);
  const networks = createNetworkService(createNetworkStore(pool.database));
  const notYet = () => {
    throw new AppError('SERVICE_UNAVAILABLE', 503, 'This operation does not exist yet');
  };
  const accounts = {
    get: async (_id: string): Promise<{ label: string; email: string }> => notYet(),
    findLabels: async (_emails: string[]) => new Map<string, string>(),
    deleteAll: async (_label: string): Promise<string[]> => [],
  };
  const mails = createMailService({
    inbox: createInboxClient(config.inboxUrl),
    findLabels: accounts.findLabels,
  });
  const faults = createFaultService({
    loadOperations: loadPlatformOperations,
    onAdded: (label) => proxy.closeIdle(label),
  });
  const proxy = await startProxy({ config: config.proxy, networks, faults }, runtime);
  const deleteLabel = async (label: string): Promise<void> => {
    faults.removeAll(label);
    await mails.remove(await accounts.deleteAll(label));
    await networks.remove(label);
  };
  const app = await createApiApp({
    ...runtime,
    document,
    docsPath: '/',
    docsCacheControl: 'no-store',
    validateResponses: true,
    unknownFields: 'reject',
    security: createSecurity(config.secret),
    operations: {
      createPerson: notYet,
      agePerson: notYet,
      ...mailRoutes({ mails, getPerson: accounts.get }),
      ...faultRoutes(faults),
      ...labelRoutes({ networks, deleteLabel }),
    } satisfies TestBenchOperations,
  });
  return {
    app: () => app,
    checks: { postgres: pool.ping },
    close: async () => {
      proxy.close();
      await pool.close();
    },
  };
};
