import { createHash } from 'node:crypto';
import { withTimeout } from '@platform/shared/async/tasks';
import type { Metrics } from '@platform/shared/metrics/metrics';
import {
  allowInsecure,
  createDiscovery,
  type Discovered,
  fetchFrom,
  TIMEOUT_MILLISECONDS,
  toError,
  toReason,
} from './discovery-adapter.ts';
import {
  type Authorization,
  CLOCK_SKEW_SECONDS,
  findAppError,
  hasEmailClaims,
  isUnavailable,
  type LogoutClaims,
  logoutTokenInvalid,
  type ProviderClaims,
  providerUnavailable,
  requireSameResponse,
  toLogoutClaims,
  toProviderClaims,
} from './oidc.ts';
import type { OidcProvider } from './oidc-settings.ts';
import { createWaitingLimit } from './waiting-limit.ts';

type Options = {
  provider: OidcProvider;
  /** Receives failures for the log. */
  onError: (error: Error) => void;
  count: ReturnType<typeof createProviderMetrics>;
};

const CALLS = ['authorization', 'code', 'logout'] as const;
type CallName = (typeof CALLS)[number];
/** `paused`: not tried, because too many requests wait. */
const OUTCOMES = ['success', 'rejected', 'unavailable', 'paused'] as const;

export const createProviderMetrics = (metrics: Metrics, providers: readonly string[]) =>
  metrics.counter('oidc_provider_calls_total', 'Requests that needed a provider, by call and outcome', {
    provider: providers,
    call: CALLS,
    outcome: OUTCOMES,
  });

/** The client of one request, whose calls end at the deadline. */
const createConfiguration = (
  { client, metadata }: Discovered,
  provider: OidcProvider,
  deadline: AbortSignal,
) => {
  // A provider without this list supports `client_secret_basic` (OpenID Connect Discovery 1.0, 3).
  const isPost = metadata.token_endpoint_auth_methods_supported?.includes('client_secret_post');
  const authenticate = isPost ? client.ClientSecretPost : client.ClientSecretBasic;
  const config = new client.Configuration(
    metadata,
    provider.clientId,
    { [client.clockTolerance]: CLOCK_SKEW_SECONDS },
    authenticate(provider.clientSecret),
  );
  for (const extension of allowInsecure(client, provider)) extension(config);
  config[client.customFetch] = fetchFrom(deadline);
  return config;
};

/** The client whose request needs the provider. */
type Client = { address: string };

type AuthorizationRequest = Omit<Authorization, 'staySignedIn'> & { state: string };

/**
 * Authorization code flow with PKCE, state and nonce. Every method throws AppError 503
 * OIDC_PROVIDER_UNAVAILABLE.
 */
export const createProviderClient = ({ provider, onError, count }: Options) => {
  const { id, clientId, scopes } = provider;
  const findProvider = createDiscovery(provider);
  const limitSignIns = createWaitingLimit();
  /** Separate, because anybody may send logout tokens with unknown keys, for which the keys are fetched. */
  const limitLogouts = createWaitingLimit();

  /** Counts the outcome, and limits the time of everything that `work` waits for. */
  const call = async <Result>(
    name: CallName,
    { address }: Client,
    work: (found: Discovered, deadline: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    const deadline = AbortSignal.timeout(TIMEOUT_MILLISECONDS);
    let isTried = false;
    const run = async () => {
      isTried = true;
      try {
        return await work(await findProvider(), deadline);
      } catch (error) {
        throw toError(error);
      }
    };
    const limitWaiting = name === 'logout' ? limitLogouts : limitSignIns;
    try {
      const result = await limitWaiting(address, () =>
        withTimeout(run(), TIMEOUT_MILLISECONDS, 'No response in time').catch((error: unknown) => {
          throw findAppError(error) ?? providerUnavailable(error);
        }),
      );
      count({ provider: id, call: name, outcome: 'success' });
      return result;
    } catch (error) {
      const outcome = isTried ? 'unavailable' : 'paused';
      count({ provider: id, call: name, outcome: isUnavailable(error) ? outcome : 'rejected' });
      if (error instanceof Error && error.cause !== undefined) onError(toReason(error.cause));
      throw error;
    }
  };

  return {
    /** @param loginHint the address that the provider fills in, which is not stored */
    createAuthorizationUrl: (
      request: AuthorizationRequest & { loginHint: string | undefined },
      from: Client,
    ): Promise<string> =>
      call('authorization', from, async (found, deadline) => {
        const { redirectUri, state, nonce, verifier, maxAgeSeconds, loginHint } = request;
        const url = found.client.buildAuthorizationUrl(createConfiguration(found, provider, deadline), {
          redirect_uri: redirectUri,
          scope: scopes,
          state,
          nonce,
          max_age: String(maxAgeSeconds),
          code_challenge: createHash('sha256').update(verifier).digest('base64url'),
          code_challenge_method: 'S256',
          ...(loginHint !== undefined && { login_hint: loginHint }),
        });
        return url.href;
      }),

    /** @throws AppError 401: OIDC_DENIED, OIDC_RESPONSE_INVALID */
    exchangeCode: (
      callbackUrl: string,
      { state, nonce, verifier }: AuthorizationRequest,
      from: Client,
    ): Promise<ProviderClaims> =>
      call('code', from, async (found, deadline) => {
        const config = createConfiguration(found, provider, deadline);
        const url = new URL(callbackUrl);
        const tokens = await found.client.authorizationCodeGrant(config, url, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        // In this flow the library verifies neither the signature nor these claims.
        const { payload, protectedHeader } = await found.tokens.verifyIdToken(
          tokens.id_token ?? '',
          clientId,
        );
        const code = url.searchParams.get('code') ?? '';
        requireSameResponse(payload, protectedHeader.alg, {
          clientId,
          code,
          accessToken: tokens.access_token,
        });
        const { userinfo_endpoint: endpoint } = found.metadata;
        const profile =
          hasEmailClaims(payload) || endpoint === undefined
            ? payload
            : await found.client.fetchUserInfo(config, tokens.access_token, String(payload.sub));
        return toProviderClaims(found.metadata.issuer, payload, profile);
      }),

    /** @throws AppError 400 VALIDATION_FAILED */
    verifyLogoutToken: async (token: string, from: Client): Promise<LogoutClaims> => {
      try {
        return await call('logout', from, async ({ tokens }) => {
          const { payload, protectedHeader } = await tokens.verify(token, clientId, ['iat', 'jti', 'events']);
          // The header explicitly names another type of token (RFC 8725, 3.11).
          if (!['logout+jwt', 'jwt', undefined].includes(protectedHeader.typ?.toLowerCase()))
            throw logoutTokenInvalid();
          return toLogoutClaims(payload);
        });
      } catch (error) {
        throw isUnavailable(error) ? error : logoutTokenInvalid();
      }
    },
  };
};

export type ProviderClient = ReturnType<typeof createProviderClient>;
