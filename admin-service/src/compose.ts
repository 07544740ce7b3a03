import { rejectTestBench } from '@platform/shared/db/test-bench-mark';
import { createApiApp } from '@platform/shared/openapi/create-api-app';
import { loadOpenApiDocument } from '@platform/shared/openapi/openapi-document';
import { toAuditLines } from '@platform/shared/platform/audit/audit-log';
import { withInternalApi } from '@platform/shared/platform/services/internal-api';
import { withHealthRoutes } from '@platform/shared/server/ops-listener';
import type { ComposedService, Runtime } from '@platform/shared/server/serve';
import { auditLogRoutes } from './audit-log/audit-log-routes.ts';
import { createAuditLogService } from './audit-log/audit-log-service.ts';
import { createAuthenticationFeature } from './authentication/authentication-feature.ts';
import type { AdminOperations, InternalOperations } from './authentication/operations.ts';
import { createSecurity } from './authentication/security.ts';
import { createBotCheckFeature } from './bot-check/bot-check-feature.ts';
import type { AdminConfig } from './config.ts';
import { createContactEntryService } from './contact/contact-entries-service.ts';
import { contactRoutes } from './contact/contact-routes.ts';
import { createContactService } from './contact/contact-service.ts';
import { employeeRoutes } from './employees/employees-routes.ts';
import { createEmployeeService } from './employees/employees-service.ts';
import { createEventsFeature } from './events/events-feature.ts';
import { createInfrastructure, type Infrastructure } from './infrastructure.ts';
import { invitationRoutes } from './invitations/invitations-routes.ts';
import { createInvitationService } from './invitations/invitations-service.ts';
import { createListsFeature } from './lists/lists-feature.ts';
import { createMailsFeature } from './mails/mails-feature.ts';
import { noteRoutes } from './notes/notes-routes.ts';
import { createNoteService } from './notes/notes-service.ts';
import { internalProjectRoutes } from './projects/internal-projects-routes.ts';
import { projectRoutes } from './projects/projects-routes.ts';
import { createProjectService } from './projects/projects-service.ts';
import { statisticsRoutes } from './statistics/statistics-routes.ts';
import { createStatisticsService } from './statistics/statistics-service.ts';
import { bindStores } from './stores.ts';
import { internalTeamRoutes } from './teams/internal-teams-routes.ts';
import { teamRoutes } from './teams/teams-routes.ts';
import { createTeamService } from './teams/teams-service.ts';
import { userAccessRoutes } from './user-access/user-access-routes.ts';
import { createUserAccessService } from './user-access/user-access-service.ts';
import { userDataRoutes } from './user-data/user-data-routes.ts';
import { createUserDataService } from './user-data/user-data-service.ts';
import { createUserMailsFeature } from './user-mails/user-mails-feature.ts';
import { createUsersFeature } from './users/users-feature.ts';
import { workspaceRoutes } from './workspaces/workspaces-routes.ts';

const load = (file: string) => loadOpenApiDocument(new URL(file));
const document = await load(import.meta.resolve('@platform/openapi/admin.yaml'));
const internalDocument = await load(import.meta.resolve('@platform/openapi/internal.yaml'));

/** Creates the infrastructure, then the features, the operations and the app. */
export const compose = async (config: AdminConfig, runtime: Runtime): Promise<ComposedService> => {
  const infrastructure = createInfrastructure(config, runtime);
  await rejectTestBench(infrastructure.database, config.isProduction);
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
    app: (readiness) => withHealthRoutes(readiness, listener),
    checks,
    optionalChecks,
    close: async () => {
      await features.mails.close();
      await features.users.close();
      await features.userMails.close();
      botCheck.close();
      await infrastructure.close();
    },
  };
};

/** A feature may be just its service. */
const createFeatures = (config: AdminConfig, infrastructure: Infrastructure) => {
  const { database, log } = infrastructure;
  const stores = bindStores(database, toAuditLines(log), createListsFeature(infrastructure));
  const base = { ...infrastructure, ...stores, config };
  const mails = createMailsFeature(base);
  return {
    authentication: createAuthenticationFeature(base),
    projects: createProjectService(base),
    users: createUsersFeature(base),
    userAccess: createUserAccessService(base),
    userData: createUserDataService(base),
    userMails: createUserMailsFeature(base),
    notes: createNoteService(base),
    teams: createTeamService(base),
    auditLog: createAuditLogService(base),
    invitations: createInvitationService(base),
    mails,
    employees: createEmployeeService(base),
    contact: createContactService(base),
    contactEntries: createContactEntryService(base),
    statistics: createStatisticsService({ ...base, listFailedCodes: mails.listFailedCodes }),
    events: createEventsFeature(base),
  };
};

type Features = ReturnType<typeof createFeatures>;

const createOperations = (features: Features): AdminOperations => ({
  hello: () => ({ status: 200, body: { message: 'Hello API' } }),
  ...workspaceRoutes(),
  ...projectRoutes(features.projects),
  ...features.users.routes,
  ...userAccessRoutes(features.userAccess),
  ...userDataRoutes(features.userData),
  ...features.userMails.routes,
  ...noteRoutes(features.notes),
  ...teamRoutes(features.teams),
  ...employeeRoutes(features.employees),
  ...auditLogRoutes(features.auditLog),
  ...features.mails.routes,
  ...contactRoutes(features.contact, features.contactEntries),
  ...invitationRoutes(features.invitations),
  ...statisticsRoutes(features.statistics),
});

const createInternalOperations = (features: Features): InternalOperations => ({
  ...internalProjectRoutes(features.projects),
  ...features.users.internalRoutes,
  ...internalTeamRoutes(features.teams),
  ...features.mails.internalRoutes,
  ...features.events.internalRoutes,
});
