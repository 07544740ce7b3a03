import { createErrorLog } from '@platform/shared/log/repeated-errors';
import type { AuditLog } from '@platform/shared/platform/audit/audit-log';
import type { Base, Infrastructure } from '../infrastructure.ts';
import type { SessionStore } from '../sessions/sessions-store.ts';
import { type ConfiguredProvider, createAuthorizationService } from './authorization-service.ts';
import { createAuthorizationStore } from './authorizations-store.ts';
import { createBackchannelLogoutService } from './backchannel-logout-service.ts';
import { createProviderLogoutStore, createUsedLogoutTokenStore } from './logouts-store.ts';
import { oidcRoutes } from './oidc-routes.ts';
import { createRedirectUriCheck, type OidcProvider, type OidcSettings } from './oidc-settings.ts';
import { createProviderClient, createProviderMetrics } from './provider-adapter.ts';

const createProviders = (
  { metrics, log }: Infrastructure,
  providers: readonly OidcProvider[],
): Map<string, ConfiguredProvider> => {
  if (providers.length === 0) return new Map();
  const count = createProviderMetrics(
    metrics,
    providers.map(({ id }) => id),
  );
  return new Map(
    providers.map((provider) => {
      const onError = createErrorLog(
        log.child({ provider: provider.id }),
        'provider of OpenID Connect failed',
      );
      return [provider.id, { provider, client: createProviderClient({ provider, onError, count }) }];
    }),
  );
};

type Stores = { sessions: SessionStore; audit: AuditLog };

export const createOidcFeature = (base: Base<Stores, { oidc: OidcSettings }>) => {
  const { config, redis } = base;
  const providers = createProviders(base, config.oidc.providers);
  const authorizations = createAuthorizationService({
    providers,
    authorizations: createAuthorizationStore(redis),
    isAllowedRedirectUri: createRedirectUriCheck(config.oidc.redirectUris),
  });
  const backchannelLogouts = createBackchannelLogoutService({
    ...base,
    providers,
    usedTokens: createUsedLogoutTokenStore(redis),
    logouts: createProviderLogoutStore(redis),
  });
  return { authorizations, backchannelLogouts, routes: oidcRoutes(authorizations, backchannelLogouts) };
};

export type OidcFeature = ReturnType<typeof createOidcFeature>;
