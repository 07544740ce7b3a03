import { createApiApp } from '@platform/shared/openapi/create-api-app';
import { loadOpenApiDocument } from '@platform/shared/openapi/openapi-document';
import type { ComposedService, Runtime } from '@platform/shared/server/serve';
import { createLabelledAccountsFeature } from './accounts/accounts-feature.ts';
import type { TestBenchConfig } from './config.ts';
import { faultRoutes } from './faults/faults-routes.ts';
import { createFaultService } from './faults/faults-service.ts';
import { loadPlatformOperations } from './faults/platform-operations.ts';
import { labelRoutes } from './labels/labels-routes.ts';
import { createNetworkService } from './labels/networks-service.ts';
import { createNetworkStore } from './labels/networks-store.ts';
import { createInboxClient } from './mails/inbox-client.ts';
import { mailRoutes } from './mails/mails-routes.ts';
import { createMailService, type MailService } from './mails/mails-service.ts';
import { requireMark } from './mark/mark.ts';
import type { TestBenchOperations } from './operations.ts';
import { createPeopleFeature } from './people/people-feature.ts';
import { peopleRoutes } from './people/people-routes.ts';
import { createPlatform } from './platform.ts';
import { startProxy } from './proxy/proxy.ts';
import { createSecurity } from './security.ts';
import { createTimeFeature } from './time/time-feature.ts';
import { timeRoutes } from './time/time-routes.ts';

const document = await loadOpenApiDocument(new URL(import.meta.resolve('@platform/openapi/test-bench.yaml')));

/** Mails of the platform take a second or two, and longer on a busy machine. */
const MAIL_SECONDS = 30;

const createUntilMail = (mails: MailService) => async (to: string, mail: string) => {
  const [found] = await mails.list(
    { to, mail, wait: MAIL_SECONDS },
    AbortSignal.timeout(2 * MAIL_SECONDS * 1_000),
  );
  if (!found) throw new Error(`The mail ${mail} has not arrived within ${MAIL_SECONDS} s`);
  return found;
};

/** Starts the proxy, and creates the features and the app. @throws ConfigError if the database has no mark */
export const compose = async (config: TestBenchConfig, runtime: Runtime): Promise<ComposedService> => {
  const platform = createPlatform(config, runtime);
  const { database, redis } = platform;
  await requireMark(database);
  const networks = createNetworkService(createNetworkStore(database));
  const accounts = createLabelledAccountsFeature({ database, redis, log: runtime.log });
  const mails = createMailService({
    inbox: createInboxClient(config.inboxUrl),
    findLabels: accounts.findLabels,
  });
  const { codeSecret, adminProofSeconds: proofSeconds } = config.auth;
  const { age } = createTimeFeature({ database, redis, config: { codeSecret, proofSeconds } });
  const people = createPeopleFeature({
    ...platform,
    config,
    accounts,
    addNetwork: networks.add,
    untilMail: createUntilMail(mails),
    age,
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
      ...peopleRoutes(people),
      ...timeRoutes({ age, getPerson: accounts.get }),
      ...mailRoutes({ mails, getPerson: accounts.getWithEmail }),
      ...faultRoutes(faults),
      ...labelRoutes({ networks, deleteLabel }),
    } satisfies TestBenchOperations,
  });
  return {
    app: () => app,
    checks: platform.checks,
    close: async () => {
      proxy.close();
      people.close();
      await platform.close();
    },
  };
};
