import { isUnencrypted } from '@platform/shared/config/addresses';
import { fetchWithLimits } from '../passwords/limited-fetch.ts';
import {
  CLOCK_SKEW_SECONDS,
  denied,
  findAppError,
  MAX_TOKEN_AGE_SECONDS,
  providerUnavailable,
  responseInvalid,
} from './oidc.ts';
import type { OidcProvider } from './oidc-settings.ts';

/**
 * Covers all requests to the provider that one request waits for. The response must be sent within 5 s, which
 * leaves the rest.
 */
export const TIMEOUT_MILLISECONDS = 4_500;
/** Short, so that users soon see that a provider is unavailable instead of being redirected to it. */
const METADATA_MILLISECONDS = 300_000;
/** Limits how often an unknown key of a logout token, which anybody may send, fetches the keys again. */
const KEYS_COOLDOWN_MILLISECONDS = 1_000;

/** Excludes `none` and symmetric algorithms. */
const ALGORITHMS = ['RS256', 'ES256', 'EdDSA', 'Ed25519'];

/** Loaded on first use, because the libraries take 9 MB and an installation may have no providers. */
const loadLibraries = async () => {
  const [client, { createRemoteJWKSet, customFetch }, { jwtVerify }] = await Promise.all([
    import('openid-client'),
    import('jose/jwks/remote'),
    import('jose/jwt/verify'),
  ]);
  return { client, createRemoteJWKSet, jwksFetch: customFetch, jwtVerify };
};
type Libraries = Awaited<ReturnType<typeof loadLibraries>>;
type Client = Libraries['client'];
type ServerMetadata = ReturnType<InstanceType<Client['Configuration']>['serverMetadata']>;

/**
 * Error codes of the library that mean that the provider is unavailable, overloaded, misconfigured, or sends
 * invalid responses.
 */
const UNAVAILABLE_CODES = new Set([
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'OAUTH_WWW_AUTHENTICATE_CHALLENGE',
  'ERR_JOSE_GENERIC',
  'ERR_JWKS_INVALID',
  'ERR_JWKS_TIMEOUT',
]);
/** Error codes of the token endpoint. `invalid_client` means that the secret was rotated. */
const UNAVAILABLE_ERRORS = new Set([
  'server_error',
  'temporarily_unavailable',
  'invalid_client',
  'unauthorized_client',
]);

const getProperty = (error: unknown, name: 'code' | 'error'): string =>
  error instanceof Error && name in error ? String(Reflect.get(error, name)) : '';

/**
 * The reason for the log: the codes of the error and its causes. Their other properties contain claims and
 * responses.
 */
export const toReason = (error: unknown): Error => {
  const codes: string[] = [];
  for (let each = error; each instanceof Error && codes.length < 5; each = each.cause)
    codes.push(getProperty(each, 'error') || getProperty(each, 'code') || each.message);
  return new Error(codes.join(': '));
};

/** Converts any error of a library to a domain error. */
export const toError = (error: unknown): Error => {
  const known = findAppError(error);
  if (known) return known;
  const code = getProperty(error, 'code');
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return denied();
  const isAway = UNAVAILABLE_CODES.has(code) || UNAVAILABLE_ERRORS.has(getProperty(error, 'error'));
  return isAway ? providerUnavailable(error) : responseInvalid(error);
};

/** Every failed connection and every status from 500 mean that the provider is unavailable. */
export const fetchFrom =
  (deadline?: AbortSignal) =>
  async (url: string, init: object): Promise<Response> => {
    const timeout = AbortSignal.timeout(TIMEOUT_MILLISECONDS);
    const signal = deadline ? AbortSignal.any([deadline, timeout]) : timeout;
    const response = await fetchWithLimits(url, { ...init, signal }).catch((error: unknown) => {
      throw providerUnavailable(error);
    });
    if (response.status >= 500) throw providerUnavailable(new Error(`Status ${response.status}`));
    return response;
  };

/** Verifies signatures with the provider's published keys, which may rotate at any time. */
const createTokenVerification = (
  { createRemoteJWKSet, jwksFetch, jwtVerify }: Libraries,
  metadata: ServerMetadata,
) => {
  if (metadata.jwks_uri === undefined) throw providerUnavailable(new Error('The provider publishes no keys'));
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri), {
    timeoutDuration: TIMEOUT_MILLISECONDS,
    cooldownDuration: KEYS_COOLDOWN_MILLISECONDS,
    [jwksFetch]: fetchFrom(),
  });
  const verify = (token: string, audience: string, requiredClaims: string[]) =>
    jwtVerify(token, keys, {
      issuer: metadata.issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_SKEW_SECONDS,
      maxTokenAge: MAX_TOKEN_AGE_SECONDS,
      requiredClaims: ['exp', ...requiredClaims],
    });
  return {
    verify,
    /** An ID token comes directly from the provider, so an unknown key was published a moment ago. */
    verifyIdToken: async (token: string, audience: string) => {
      try {
        return await verify(token, audience, ['sub']);
      } catch (error) {
        if (getProperty(error, 'code') !== 'ERR_JWKS_NO_MATCHING_KEY') throw error;
        await keys.reload();
        return await verify(token, audience, ['sub']);
      }
    },
  };
};

export const allowInsecure = ({ allowInsecureRequests }: Client, { issuer }: OidcProvider) =>
  // The configuration allows http on loopback only.
  issuer.startsWith('http:') ? [allowInsecureRequests] : [];

/**
 * Any endpoint must use https. It may use http on loopback if the issuer does, which the configuration allows
 * only in development.
 */
const isSecure = (address: unknown, { issuer }: OidcProvider): boolean => {
  const url = URL.parse(String(address));
  if (url?.protocol !== 'http:') return url?.protocol === 'https:';
  return issuer.startsWith('http:') && !isUnencrypted(url.href);
};

/** Reads the discovery document, and creates the verification of the provider's tokens. */
const discover = async (libraries: Libraries, provider: OidcProvider) => {
  const { client } = libraries;
  const options = { execute: allowInsecure(client, provider), [client.customFetch]: fetchFrom() };
  const discovered = client.discovery(new URL(provider.issuer), provider.clientId, {}, undefined, options);
  const metadata = await discovered.then(
    (config) => config.serverMetadata(),
    (error: unknown) => {
      throw findAppError(error) ?? providerUnavailable(error);
    },
  );
  const insecure = Object.entries(metadata).find(
    ([name, value]) => /_(?:endpoint|uri)$/.test(name) && !isSecure(value, provider),
  );
  if (insecure) throw providerUnavailable(new Error(`${insecure[0]} is not https`));
  return { ...libraries, metadata, tokens: createTokenVerification(libraries, metadata) };
};
export type Discovered = Awaited<ReturnType<typeof discover>>;

/** Shared by concurrent requests. A failure is not cached. */
export const createDiscovery = (provider: OidcProvider) => {
  let current: Promise<Discovered> | undefined;
  let expiresAt = 0;
  return (): Promise<Discovered> => {
    if (current && performance.now() < expiresAt) return current;
    expiresAt = performance.now() + METADATA_MILLISECONDS;
    const started = loadLibraries().then((libraries) => discover(libraries, provider));
    current = started;
    started.catch(() => {
      if (current === started) current = undefined;
    });
    return started;
  };
};
