import { rejectTestBench } from '@platform/shared/db/test-bench-mark';
import { loadOpenApiDocument } from '@platform/shared/openapi/openapi-document';
import { createPreferencesUpdate } from '@platform/shared/platform/access/caller';
import { toAuditLines } from '@platform/shared/platform/audit/audit-log';
import { withInternalApi } from '@platform/shared/platform/services/internal-api';
import { withHealthRoutes } from '@platform/shared/server/ops-listener';
import type { ComposedService, Runtime } from '@platform/shared/server/serve';
import { createAccountsFeature } from './accounts/accounts-feature.ts';
import { createApp } from './app.ts';
import { selectOffered } from './authentication/offered-operations.ts';
import type { AuthOperations } from './authentication/operations.ts';
import { createSecurity } from './authentication/security.ts';
import { botCheckRoutes } from './bot-check/bot-check-routes.ts';
import type { AuthConfig } from './config.ts';
import { createEmailCodesFeature } from './email-codes/email-codes-feature.ts';
import { createEndingService } from './endings/endings-service.ts';
import { createGuessLimitsFeature } from './guess-limits/guess-limits-feature.ts';
import { createInfrastructure, type Infrastructure } from './infrastructure.ts';
import { introspectionRoutes } from './introspection/introspection-routes.ts';
import { createIntrospectionService } from './introspection/introspection-service.ts';
import { createInvitationsFeature } from './invitations/invitations-feature.ts';
import { createLinkingFeature } from './linking/linking-feature.ts';
import { createOidcFeature } from './oidc/oidc-feature.ts';
import { createOwnAccountFeature } from './own-account/own-account-feature.ts';
import { createPasskeysFeature } from './passkeys/passkeys-feature.ts';
import { createPasswordsFeature } from './passwords/passwords-feature.ts';
import { createRecentProofFeature } from './recent-proof/recent-proof-feature.ts';
import { createSecondFactorFeature } from './second-factor/second-factor-feature.ts';
import { createSessionsFeature } from './sessions/sessions-feature.ts';
import { createSignInFeature } from './sign-in/sign-in-feature.ts';
import { bindStores } from './stores.ts';
import { createWebauthnFeature } from './webauthn/webauthn-feature.ts';

const load = (file: string) => loadOpenApiDocument(new URL(file));
const document = await load(import.meta.resolve('@platform/openapi/auth.yaml'));
const internalDocument = await load(import.meta.resolve('@platform/openapi/internal.yaml'));

/** Creates the infrastructure, then the features, the operations and the app. */
export const compose = async (config: AuthConfig, runtime: Runtime): Promise<ComposedService> => {
  const infrastructure = createInfrastructure(config, runtime);
  await rejectTestBench(infrastructure.database, config.isProduction);
  const features = createFeatures(config, infrastructure);
  const operations = {
    ...createOperations(features),
    ...botCheckRoutes(infrastructure.botCheck),
  } satisfies AuthOperations;
  const offered = selectOffered(document, operations, {
    passkeys: config.webauthn !== undefined,
    emailCodes: config.offersEmailCodes,
  });
  const { checks, optionalChecks, keys, database, background } = infrastructure;
  const { callers } = features.sessions;
  const { requireSecondFactor } = features.secondFactor;
  const app = await createApp({
    ...runtime,
    ...offered,
    validateResponses: config.validateResponses,
    requireBotCheck: infrastructure.botCheck?.requireSolution,
    requireRecentProof: features.recentProof.requireRecentProof,
    refreshMetrics: features.sessions.metrics,
    security: createSecurity({
      keys,
      callers,
      registration: features.accounts.registration,
      requireSecondFactor,
      updatePreferences: createPreferencesUpdate(database, background),
    }),
  });
  const internal = {
    ...runtime,
    service: 'auth-service',
    document: internalDocument,
    secrets: config.serviceSecrets,
    scopes: config.serviceScopes,
    validateResponses: config.validateResponses,
    unknownFields: 'drop' as const, // RFC 6749, 3.2 requires this for forms
    operations: introspectionRoutes(createIntrospectionService(callers, requireSecondFactor)),
  };
  const listener = await withInternalApi(internal, app);
  return {
    app: (readiness) => withHealthRoutes(readiness, listener),
    checks,
    optionalChecks,
    close: async () => {
      await features.passwords.hasher.close();
      await infrastructure.close();
    },
  };
};

/** Each feature is built from the ones above it, and imports nothing of the ones below it. */
export const createFeatures = (config: AuthConfig, infrastructure: Infrastructure) => {
  const base = {
    ...infrastructure,
    ...bindStores(infrastructure.database, toAuditLines(infrastructure.log)),
    config,
  };
  const passwords = createPasswordsFeature(base);
  const guessLimits = createGuessLimitsFeature(base);
  const accounts = createAccountsFeature(base, { passwords });
  const sessions = createSessionsFeature(base);
  const webauthn = createWebauthnFeature(base);
  const secondFactor = createSecondFactorFeature(base, { passwords, guessLimits, webauthn });
  const passkeys = createPasskeysFeature(base, { webauthn, secondFactor });
  const recentProof = createRecentProofFeature(base, { secondFactor });
  const oidc = createOidcFeature(base);
  const endings = createEndingService();
  const early = {
    passwords,
    guessLimits,
    accounts,
    sessions,
    webauthn,
    secondFactor,
    passkeys,
    oidc,
    endings,
  };
  const linking = createLinkingFeature(base, early);
  const emailCodes = createEmailCodesFeature(base, early);
  const signIn = createSignInFeature(base, { ...early, linking, emailCodes });
  const ownAccount = createOwnAccountFeature(base, { ...early, emailCodes });
  const invitations = createInvitationsFeature(base, early);
  return { ...early, recentProof, linking, signIn, emailCodes, ownAccount, invitations };
};

const createOperations = (
  features: ReturnType<typeof createFeatures>,
): Omit<AuthOperations, 'botCheckChallenge'> => ({
  ...features.accounts.routes,
  ...features.sessions.routes,
  ...features.secondFactor.routes,
  ...features.passkeys.routes,
  ...features.recentProof.routes,
  ...features.oidc.routes,
  ...features.linking.routes,
  ...features.signIn.routes,
  ...features.emailCodes.routes,
  ...features.ownAccount.routes,
  ...features.invitations.routes,
});
