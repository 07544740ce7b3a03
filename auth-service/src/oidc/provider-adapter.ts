import { createHash } from 'node:crypto';
import { withTimeout } from '@platform/shared/async/tasks';
import type { Metrics } from '@platform/shared/metrics/metrics';
import type { OidcProvider } from '../oidc-settings.ts';
import { type Circuit, createCircuit } from './circuit.ts';
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
  isUnavailable,
  type LogoutClaims,
  logoutTokenInvalid,
  type ProviderClaims,
  providerUnavailable,
  toLogoutClaims,
  toProviderClaims,
} from './oidc.ts';

type Options = {
  provider: OidcProvider;
  /** Of failures, for the log. */
  onError: (error: Error) => void;
  count: ReturnType<typeof createProviderMetrics>;
};

const OUTCOMES = ['success', 'refused', 'unavailable'] as const;

export const createProviderMetrics = (metrics: Metrics, providers: readonly string[]) =>
  metrics.counter('oidc_provider_calls_total', 'Requests of users that needed a provider, by outcome', {
    provider: providers,
    outcome: OUTCOMES,
  });

/** The client of one request, whose calls end at the deadline. */
const createConfiguration = (
  { client, metadata }: Discovered,
  provider: OidcProvider,
  deadline: AbortSignal,
) => {
  // Without a list, a provider supports `client_secret_basic` (OpenID Connect Discovery 1.0, 3).
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

type AuthorizationRequest = Authorization & { state: string };

/** Authorization code flow with PKCE, state and nonce. Every method throws AppError 503 OIDC_PROVIDER_UNAVAILABLE. */
export const createProviderClient = ({ provider, onError, count }: Options) => {
  const { id, clientId, scopes } = provider;
  const findProvider = createDiscovery(provider);
  const inCircuit = createCircuit();

  /** Counts the outcome, and bounds the time of everything that `work` waits for. */
  const call = async <Result>(
    work: (found: Discovered, deadline: AbortSignal) => Promise<Result>,
    protect: Circuit = inCircuit,
  ): Promise<Result> => {
    const deadline = AbortSignal.timeout(TIMEOUT_MILLISECONDS);
    const run = async () => {
      try {
        return await work(await findProvider(), deadline);
      } catch (error) {
        throw toError(error);
      }
    };
    try {
      const result = await protect(() =>
        withTimeout(run(), TIMEOUT_MILLISECONDS, 'No response in time').catch((error: unknown) => {
          throw findAppError(error) ?? providerUnavailable(error);
        }),
      );
      count({ provider: id, outcome: 'success' });
      return result;
    } catch (error) {
      count({ provider: id, outcome: isUnavailable(error) ? 'unavailable' : 'refused' });
      if (error instanceof Error && error.cause !== undefined) onError(toReason(error.cause));
      throw error;
    }
  };

  return {
    createAuthorizationUrl: ({
      redirectUri,
      state,
      nonce,
      verifier,
    }: AuthorizationRequest): Promise<string> =>
      call(
        async (found, deadline) => {
          const url = found.client.buildAuthorizationUrl(createConfiguration(found, provider, deadline), {
            redirect_uri: redirectUri,
            scope: scopes,
            state,
            nonce,
            code_challenge: createHash('sha256').update(verifier).digest('base64url'),
            code_challenge_method: 'S256',
          });
          return url.href;
        },
        // The provider's document is known after the first request.
        (work) => inCircuit(work, { isTrial: false }),
      ),

    /** @throws AppError 401: OIDC_DENIED, OIDC_RESPONSE_INVALID */
    exchangeCode: (
      callbackUrl: string,
      { state, nonce, verifier }: AuthorizationRequest,
    ): Promise<ProviderClaims> =>
      call(async (found, deadline) => {
        const config = createConfiguration(found, provider, deadline);
        const tokens = await found.client.authorizationCodeGrant(config, new URL(callbackUrl), {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        });
        // The library does not verify the signature in this flow.
        const { payload } = await found.tokens.verifyIdToken(tokens.id_token ?? '', clientId);
        const { userinfo_endpoint: endpoint } = found.metadata;
        const profile =
          payload['email'] === undefined && endpoint !== undefined
            ? await found.client.fetchUserInfo(config, tokens.access_token, String(payload.sub))
            : {};
        return toProviderClaims(found.metadata.issuer, { ...profile, ...payload });
      }),

    /** @throws AppError 400 VALIDATION_FAILED */
    verifyLogoutToken: async (token: string): Promise<LogoutClaims> => {
      try {
        return await call(
          async ({ tokens }) => {
            const { payload, protectedHeader } = await tokens.verify(token, clientId, [
              'iat',
              'jti',
              'events',
            ]);
            // An explicit type of another kind of token (RFC 8725, 3.11).
            if (!['logout+jwt', 'jwt', undefined].includes(protectedHeader.typ?.toLowerCase()))
              throw logoutTokenInvalid();
            return toLogoutClaims(payload);
            // Anybody may send a token, so it neither opens nor closes the circuit.
          },
          (work) => work(),
        );
      } catch (error) {
        throw isUnavailable(error) ? error : logoutTokenInvalid();
      }
    },
  };
};

export type ProviderClient = ReturnType<typeof createProviderClient>;
