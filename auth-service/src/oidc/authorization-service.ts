import { randomBytes } from 'node:crypto';
import type { RequestContext } from '@platform/shared/http/request-context';
import type { Kind } from '../kinds.ts';
import { REAUTHENTICATION_SECONDS } from '../second-factor/confirmation.ts';
import type { AuthorizationStore } from './authorizations-store.ts';
import {
  AUTHORIZATION_SECONDS,
  type AuthorizationBinding,
  type ProviderClaims,
  providerNotFound,
  redirectUriInvalid,
  SINGLE_SIGN_ON_SECONDS,
  stateInvalid,
} from './oidc.ts';
import type { OidcProvider } from './oidc-settings.ts';
import type { ProviderClient } from './provider-adapter.ts';

export type ConfiguredProvider = { provider: OidcProvider; client: ProviderClient };

type Dependencies = {
  /** The providers, in the order of the configuration. */
  providers: ReadonlyMap<string, ConfiguredProvider>;
  authorizations: AuthorizationStore;
  isAllowedRedirectUri: (provider: string, uri: string) => boolean;
};

/** The user who is redirected to a provider, and the purpose. */
type Requester = Omit<AuthorizationBinding, 'provider'>;

type AuthorizationOptions = {
  redirectUri: string;
  reauthenticate?: boolean;
  staySignedIn?: boolean;
  loginHint?: string;
};

/** 256 bits for state, nonce, and PKCE verifier (RFC 7636, 4.1). */
const createSecret = (): string => randomBytes(32).toString('base64url');

/** The address that the provider was requested to return to. With several providers, it names the provider. */
const withoutParameters = (url: URL): string => {
  const address = new URL(url);
  address.search = '';
  address.hash = '';
  return address.href;
};

/** The redirect to a provider and back. */
export const createAuthorizationService = (dependencies: Dependencies) => {
  const { providers, authorizations, isAllowedRedirectUri } = dependencies;

  return {
    /** @throws AppError 404 PROVIDER_NOT_FOUND, also if the provider is not for this kind */
    getProvider: (kind: Kind, id: string): ConfiguredProvider => {
      const found = providers.get(id);
      if (!found?.provider.kinds.includes(kind)) throw providerNotFound();
      return found;
    },

    list: (kind: Kind): { id: string; name: string }[] =>
      [...providers.values()]
        .filter(({ provider }) => provider.kinds.includes(kind))
        .map(({ provider: { id, name } }) => ({ id, name })),

    /** @throws AppError 400 VALIDATION_FAILED */
    requireRedirectUri: ({ provider }: ConfiguredProvider, redirectUri: string): void => {
      if (!isAllowedRedirectUri(provider.id, redirectUri)) throw redirectUriInvalid();
    },

    /** @throws AppError 503 */
    start: async (
      { provider, client }: ConfiguredProvider,
      requester: Requester,
      { redirectUri, reauthenticate = false, staySignedIn = false, loginHint }: AuthorizationOptions,
      from: RequestContext,
    ) => {
      const state = createSecret();
      const maxAgeSeconds = reauthenticate ? REAUTHENTICATION_SECONDS : SINGLE_SIGN_ON_SECONDS;
      const secrets = { nonce: createSecret(), verifier: createSecret() };
      const authorization = { redirectUri, maxAgeSeconds, staySignedIn, ...secrets };
      const authorizationUrl = await client.createAuthorizationUrl(
        { ...authorization, state, loginHint },
        from,
      );
      await authorizations.add(state, { ...requester, provider: provider.id }, authorization);
      return { authorizationUrl, expiresIn: AUTHORIZATION_SECONDS };
    },

    /**
     * Uses up the state, whatever the provider responds. @throws AppError 401 OIDC_STATE_INVALID,
     * OIDC_DENIED, OIDC_RESPONSE_INVALID; 503
     */
    finish: async (
      { provider, client }: ConfiguredProvider,
      requester: Requester,
      callbackUrl: string,
      from: RequestContext,
    ): Promise<{ claims: ProviderClaims; staySignedIn: boolean }> => {
      const binding = { ...requester, provider: provider.id };
      const url = URL.parse(callbackUrl);
      const state = url?.searchParams.get('state');
      const authorization = state ? await authorizations.take(state, binding) : undefined;
      if (!url || !state || !authorization || withoutParameters(url) !== authorization.redirectUri)
        throw stateInvalid();
      const claims = await client.exchangeCode(url.href, { ...authorization, state }, from);
      // Absent in an authorization of the previous release.
      return { claims, staySignedIn: authorization.staySignedIn === true };
    },
  };
};

export type AuthorizationService = ReturnType<typeof createAuthorizationService>;
