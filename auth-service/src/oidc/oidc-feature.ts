import { createErrorLog } from '@platform/shared/log/repeated-errors';
import type { AccountsFeature } from '../accounts/accounts-feature.ts';
import type { Infrastructure } from '../infrastructure.ts';
import { createIdentityListService } from '../linking/identities-service.ts';
import { createLinkingService, type LinkingService } from '../linking/linking-service.ts';
import type { SecondFactorFeature } from '../second-factor/second-factor-feature.ts';
import type { SessionsFeature } from '../sessions/sessions-feature.ts';
import { createProviderSignInService } from '../sign-in/provider-sign-in-service.ts';
import { type ConfiguredProvider, createAuthorizationService } from './authorization-service.ts';
import { createAuthorizationStore, createUsedLogoutTokenStore } from './authorizations-store.ts';
import { createBackchannelLogoutService } from './backchannel-logout-service.ts';
import { identityRoutes, providerSignInRoutes } from './oidc-routes.ts';
import { createRedirectUriCheck } from './oidc-settings.ts';
import { createProviderClient, createProviderMetrics } from './provider-adapter.ts';

const createProviders = ({ config, metrics, log }: Infrastructure): Map<string, ConfiguredProvider> => {
  const { providers } = config.oidc;
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

/** Created before the sessions, because their second step commits a link. */
export const createLinking = (infrastructure: Infrastructure, { accounts, changes }: AccountsFeature) =>
  createLinkingService({ ...infrastructure, accounts, changes });

type Earlier = {
  accounts: AccountsFeature;
  secondFactor: SecondFactorFeature;
  sessions: SessionsFeature;
  linking: LinkingService;
};

export const createOidcFeature = (
  infrastructure: Infrastructure,
  { accounts, secondFactor, sessions, linking }: Earlier,
) => {
  const { config, redis } = infrastructure;
  const { changes } = accounts;
  const { openSession, requestSecondFactor, providerSessions, refreshCookie } = sessions;
  const { countSignIn } = sessions.metrics;
  const { confirmCaller } = secondFactor.confirmations;
  const providers = createProviders(infrastructure);
  const authorizations = createAuthorizationStore(redis);
  const authorization = createAuthorizationService({
    ...infrastructure,
    providers,
    authorizations,
    isAllowedRedirectUri: createRedirectUriCheck(config.oidc),
  });
  const providerSignIn = createProviderSignInService({
    ...infrastructure,
    authorization,
    linking,
    openSession,
    requestSecondFactor,
    providerSessions,
    countSignIn,
  });
  const identities = createIdentityListService({
    ...infrastructure,
    authorization,
    changes,
    confirmCaller,
  });
  const usedTokens = createUsedLogoutTokenStore(redis);
  const logouts = createBackchannelLogoutService({ providers, usedTokens, providerSessions });
  return {
    routes: {
      ...providerSignInRoutes({ authorization, providerSignIn, logouts, refreshCookie }),
      ...identityRoutes(identities),
    },
  };
};
