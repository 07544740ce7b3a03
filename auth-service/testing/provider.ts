import { randomUUID } from 'node:crypto';
import { startMisbehavingProvider } from '@platform/dev/testing/misbehaving-provider';
import type { AuthClient } from '@platform/shared/testing/auth-client';
import { uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { useRunning } from '@platform/shared/testing/use-running';

/** The address to which the provider returns. */
export const redirectUriOf = (provider: string): string => `http://localhost:5173/callback/${provider}`;
/** The body of a request that begins a sign-in at a provider. */
export const redirectTo = (provider: string) => ({ redirectUri: redirectUriOf(provider) });

type Settings = Record<string, string>;

/** The variables of one provider. `settings` are named without their prefix. */
export const toProviderVariables = (id: string, settings: Settings): Settings =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`OIDC_${id.toUpperCase()}_${name}`, value]),
  );

/** Returns the address to which the provider redirects the browser. The provider needs no page. */
export const visit = async (authorization: HttpResponse): Promise<string> => {
  const { authorizationUrl } = authorization.body;
  if (authorizationUrl === undefined) throw new Error(`No authorization: ${authorization.text}`);
  const response = await fetch(authorizationUrl, { redirect: 'manual' });
  return response.headers.get('location') ?? '';
};

/** A person whose identity no other test uses. */
export const newPerson = (email = uniqueEmail()) => ({ sub: randomUUID(), email, email_verified: true });

type Request = { fingerprint?: string; headers?: Record<string, string> };

const startProvider = async () => {
  const provider = await startMisbehavingProvider();
  const { issuer, clientId, clientSecret } = provider;
  const common = { ISSUER: issuer, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
  const kinds = { ...common, KINDS: 'customers,employees,administrators' };
  const vouching = { ...kinds, DOMAINS: 'example.com' };
  return {
    ...provider,
    /**
     * The settings of auth-service for four providers with this issuer. `company` may vouch for example.com
     * and verifies second factors, `open` may vouch for no domain, `closed` creates no accounts, and
     * `clients` is not for administrators.
     */
    settings: {
      OIDC_PROVIDERS: 'company,open,closed,clients',
      ...toProviderVariables('company', { ...vouching, NAME: 'Company', SECOND_FACTOR: 'on' }),
      ...toProviderVariables('open', kinds),
      ...toProviderVariables('closed', { ...vouching, SIGN_UP: 'off' }),
      ...toProviderVariables('clients', common),
    },
    /** Signs in at the provider as the person with these claims, and then with it. */
    signInWith: async (client: AuthClient, id: string, claims: object, request: Request = {}) => {
      const { fingerprint = uniqueFingerprint(), headers = {} } = request;
      provider.misbehave({ claims: { ...claims } });
      const authorization = await client.oidcAuthorize({ provider: id, fingerprint, body: redirectTo(id) });
      const body = { callbackUrl: await visit(authorization) };
      return await client.oidcSignIn({ provider: id, fingerprint, body, headers });
    },
  };
};

/** Starts a provider of OpenID Connect for a suite. Start the service with its `settings`. */
export const useProvider = () => useRunning(startProvider);
