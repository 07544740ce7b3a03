import { createApiApp } from '@platform/shared/openapi/create-api-app';
import { loadOpenApiDocument } from '@platform/shared/openapi/openapi-document';
import { toAuditLines } from '@platform/shared/platform/audit/audit-log';
import { withInternalApi } from '@platform/shared/platform/services/internal-api';
import { withReadiness } from '@platform/shared/server/ops-listener';
import type { ComposedService, Runtime } from '@platform/shared/server/serve';
import { createAuditLogFeature } from './audit-log/audit-log-feature.ts';
import { createAuthenticationFeature } from './authentication/authentication-feature.ts';
import type { AdminOperations, InternalOperations } from './authentication/operations.ts';
import { createSecurity } from './authentication/security.ts';
import { createBotCheckFeature } from './bot-check/bot-check-feature.ts';
import type { AdminConfig } from './config.ts';
import { createContactFeature } from './contact/contact-feature.ts';
import { employeeRoutes } from './employees/employees-routes.ts';
import { createEventsFeature } from './events/events-feature.ts';
import { createInfrastructure, type Infrastructure } from './infrastructure.ts';
import { createInvitationsFeature } from './invitations/invitations-feature.ts';
import { createListsFeature } from './lists/lists-feature.ts';
import { createMailsFeature } from './mails/mails-feature.ts';
import { createNotesFeature } from './notes/notes-feature.ts';
import { createProjectsFeature } from './projects/projects-feature.ts';
import { bindStores } from './stores.ts';
import { createTeamsFeature } from './teams/teams-feature.ts';
import { createUsersFeature } from './users/users-feature.ts';
import { workspaceRoutes } from './workspaces/workspaces-routes.ts';

const load = (file: string) => loadOpenApiDocument(new URL(file));
const document = await load(import.meta.resolve('@platform/openapi/admin.yaml'));
const internalDocument = await load(import.meta.resolve('@platform/openapi/internal.yaml'));

/** Creates the infrastructure, then the features, the operations and the app. */
export const compose = async (config: AdminConfig, runtime: Runtime): Promise<ComposedService> => {
  const infrastructure = createInfrastructure(config, runtime);
  const features = createFeatures(config, infrastructure);
  const { checks, optionalChecks } = infrastructure;
  const botCheck = await createBotCheckFeature({ ...infrastructure, config });
  const app = await createApiApp({
    ...runtime,
    document,
    docsPath: '/api/v1/docs',
    validateResponses: config.validateResponses,
    // Clients of the back office should learn immediately that a field is not supported.
    unknownFields: 'reject',
    requireBotCheck: botCheck.requireSolution,
    security: createSecurity(document, features.authentication),
    requireRecentProof: features.authentication.requireRecentProof,
    operations: createOperations(features),
  });
  const internal = {
    ...runtime,
    service: 'admin-service',
    document: internalDocument,
    secrets: config.serviceSecrets,
    scopes: config.serviceScopes,
    validateResponses: config.validateResponses,
    unknownFields: 'reject' as const,
    operations: createInternalOperations(features),
  };
  const listener = await withInternalApi(internal, app);
  return {
    app: (readiness) => withReadiness(readiness, listener),
    checks,
    optionalChecks,
    close: async () => {
      await features.mails.close();
      await features.users.close();
      botCheck.close();
      await infrastructure.close();
    },
  };
};

/** Each feature is built from the ones above it, and imports nothing of the ones below it. */
const createFeatures = (config: AdminConfig, infrastructure: Infrastructure) => {
  const base = {
    ...infrastructure,
    ...bindStores(infrastructure.database, toAuditLines(infrastructure.log)),
    config,
  };
  const authentication = createAuthenticationFeature(base);
  const lists = createListsFeature(base);
  const early = { authentication, lists };
  return {
    ...early,
    projects: createProjectsFeature(base, early),
    users: createUsersFeature(base, early),
    notes: createNotesFeature(base),
    teams: createTeamsFeature(base, early),
    auditLog: createAuditLogFeature(early),
    invitations: createInvitationsFeature(base),
    mails: createMailsFeature(base),
    employees: { routes: employeeRoutes(base.stores.employees) },
    contact: createContactFeature(base, early),
    events: createEventsFeature(base),
  };
};

type Features = ReturnType<typeof createFeatures>;

const createOperations = (features: Features): AdminOperations => ({
  hello: () => ({ status: 200, body: { message: 'Hello API' } }),
  ...workspaceRoutes(),
  ...features.projects.routes,
  ...features.users.routes,
  ...features.notes.routes,
  ...features.teams.routes,
  ...features.employees.routes,
  ...features.auditLog.routes,
  ...features.mails.routes,
  ...features.contact.routes,
  ...features.invitations.routes,
});

const createInternalOperations = (features: Features): InternalOperations => ({
  ...features.projects.internalRoutes,
  ...features.users.internalRoutes,
  ...features.teams.internalRoutes,
  ...features.mails.internalRoutes,
  ...features.events.internalRoutes,
});
