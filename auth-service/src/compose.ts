import { loadOpenApiDocument } from '@platform/shared/http/openapi-document';
import { withReadiness } from '@platform/shared/http/ops-listener';
import type { ComposedService, Runtime } from '@platform/shared/http/serve';
import { createLanguageUpdate, createSecondFactorRequirement } from '@platform/shared/platform/access/caller';
import { withInternalApi } from '@platform/shared/platform/services/internal-api';
import { createAccountsFeature } from './accounts/accounts-feature.ts';
import { createApp } from './app.ts';
import type { AuthOperations } from './authentication/operations.ts';
import { createSecurity } from './authentication/security.ts';
import type { AuthConfig } from './config.ts';
import { createEmailCodesFeature } from './email-codes/email-codes-feature.ts';
import { createInfrastructure, type Infrastructure } from './infrastructure.ts';
import { introspectionRoutes } from './introspection/introspection-routes.ts';
import { createIntrospectionService } from './introspection/introspection-service.ts';
import { createLinking, createOidcFeature } from './oidc/oidc-feature.ts';
import { createOwnAccountFeature } from './own-account/own-account-feature.ts';
import { createPasskeysFeature } from './passkeys/passkeys-feature.ts';
import { withoutPasskeys } from './passkeys/passkeys-routes.ts';
import { createSecondFactorFeature } from './second-factor/second-factor-feature.ts';
import { createSessionsFeature } from './sessions/sessions-feature.ts';

const load = (file: string) => loadOpenApiDocument(new URL(file));
const document = await load(import.meta.resolve('@platform/openapi/auth.yaml'));
const internalDocument = await load(import.meta.resolve('@platform/openapi/internal.yaml'));

/** Creates the infrastructure, then the features, the operations and the app. */
export const compose = async (config: AuthConfig, runtime: Runtime): Promise<ComposedService> => {
  const infrastructure = createInfrastructure(config, runtime);
  const features = createFeatures(infrastructure);
  const operations = createOperations(features);
  const offered = config.webauthn ? { document, operations } : withoutPasskeys(document, operations);
  const { checks, optionalChecks, close, keys, database, background } = infrastructure;
  const requireSecondFactor = createSecondFactorRequirement(config.secondFactorRequiredFor);
  const app = await createApp({
    ...runtime,
    ...offered,
    validateResponses: config.validateResponses,
    security: createSecurity({
      keys,
      sessions: features.sessions,
      registration: features.accounts.registration,
      requireSecondFactor,
      updateLanguage: createLanguageUpdate(database, background),
    }),
  });
  const introspect = createIntrospectionService(features.sessions.findAccessCaller, requireSecondFactor);
  const internal = {
    ...runtime,
    service: 'auth-service',
    document: internalDocument,
    secrets: config.serviceSecrets,
    validateResponses: config.validateResponses,
    unknownFields: 'drop' as const, // RFC 6749, 3.2 requires this for forms
    operations: introspectionRoutes(introspect),
  };
  const listener = await withInternalApi(internal, app);
  return { app: (readiness) => withReadiness(readiness, listener), checks, optionalChecks, close };
};

/** Each feature is built from the ones above it, and imports only their types. */
const createFeatures = (infrastructure: Infrastructure) => {
  const accounts = createAccountsFeature(infrastructure);
  const passkeys = createPasskeysFeature(infrastructure, accounts);
  const secondFactor = createSecondFactorFeature(infrastructure, { accounts, passkeys });
  const emailCodes = createEmailCodesFeature(infrastructure, accounts);
  const linking = createLinking(infrastructure, accounts);
  const earlier = { accounts, passkeys, secondFactor, emailCodes };
  const sessions = createSessionsFeature(infrastructure, { ...earlier, commitLink: linking.commit });
  const ownAccount = createOwnAccountFeature(infrastructure, earlier);
  const oidc = createOidcFeature(infrastructure, { ...earlier, sessions, linking });
  return { ...earlier, sessions, ownAccount, oidc };
};

const createOperations = (features: ReturnType<typeof createFeatures>): AuthOperations => {
  const { accounts, passkeys, secondFactor, emailCodes, sessions, ownAccount, oidc } = features;
  return {
    ...accounts.routes,
    ...passkeys.createRoutes(secondFactor.confirmations.confirmCaller),
    ...secondFactor.routes,
    ...emailCodes.routes,
    ...sessions.routes,
    ...ownAccount.routes,
    ...oidc.routes,
  };
};
