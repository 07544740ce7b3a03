import { randomUUID } from 'node:crypto';
import { startMisbehavingProvider } from '@platform/dev/testing/misbehaving-provider';
import { type AccountKind, bearer, type Device } from '@platform/shared/testing/auth-client';
import { uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { send } from '@platform/shared/testing/responses';
import { useRunning } from './auth-service.ts';
import { type RunningCodeService, startCodeService } from './code-service.ts';

export const REDIRECT_URI = 'http://localhost:5173/callback';

type Settings = Record<string, string>;

/** The variables of one provider. `settings` are named without their prefix. */
export const toProviderVariables = (id: string, settings: Settings): Settings =>
  Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [`OIDC_${id.toUpperCase()}_${name}`, value]),
  );

type Request = { fingerprint?: string; headers?: Record<string, string> };

/** A client for the provider operations of one kind at a running service. */
export const createProviderClient = ({ url }: { url: string }, { path }: Pick<AccountKind, 'path'>) => {
  const post = (route: string, body: object, headers: Record<string, string | undefined>) =>
    send(url, 'POST', path + route, { body, headers });
  return {
    providers: () => send(url, 'GET', `${path}/oidc/providers`),
    authorize: (provider: string, fingerprint: string, redirectUri = REDIRECT_URI) =>
      post(`/oidc/${provider}/authorize`, { redirectUri }, { 'X-Fingerprint': fingerprint }),
    signIn: (provider: string, callbackUrl: string, { fingerprint = '', headers = {} }: Request) =>
      post(`/oidc/${provider}/sign-in`, { callbackUrl }, { 'X-Fingerprint': fingerprint, ...headers }),
    identities: (device: Pick<Device, 'accessToken'>) =>
      send(url, 'GET', `${path}/identities`, { headers: bearer(device) }),
    startLink: (device: Pick<Device, 'accessToken'>, provider: string, body: object) =>
      post(`/identities/${provider}/authorize`, { redirectUri: REDIRECT_URI, ...body }, bearer(device)),
    link: (device: Pick<Device, 'accessToken'>, provider: string, callbackUrl: string) =>
      post(`/identities/${provider}`, { callbackUrl }, bearer(device)),
    unlink: (device: Pick<Device, 'accessToken'>, id: string, body: object = {}) =>
      send(url, 'DELETE', `${path}/identities/${id}`, { body, headers: bearer(device) }),
  };
};

/** Sends what a provider sends when somebody signs out there. */
export const sendLogoutToken = (
  { url }: { url: string },
  provider: string,
  token: string,
  contentType = 'application/x-www-form-urlencoded',
): Promise<HttpResponse> =>
  send(url, 'POST', `/api/v1/auth/oidc/${provider}/backchannel-logout`, {
    body: new URLSearchParams({ logout_token: token }).toString(),
    headers: { 'Content-Type': contentType },
  });

/** Returns the address to which the provider redirects the browser. The provider needs no page. */
export const visit = async (authorization: HttpResponse): Promise<string> => {
  const { authorizationUrl } = authorization.body;
  if (authorizationUrl === undefined) throw new Error(`No authorization: ${authorization.text}`);
  const response = await fetch(authorizationUrl, { redirect: 'manual' });
  return response.headers.get('location') ?? '';
};

/** A person whose identity no other test uses. */
export const newPerson = (email = uniqueEmail()) => ({ sub: randomUUID(), email, email_verified: true });

type Provider = Awaited<ReturnType<typeof startMisbehavingProvider>>;

type ProviderService = RunningCodeService & {
  provider: Provider;
  /** Signs in at the provider, and then with it. */
  signInWith: (id: string, kind: AccountKind, claims: object, request?: Request) => Promise<HttpResponse>;
};

/**
 * Starts four providers with one issuer. `company` may vouch for example.com and verifies second factors,
 * `open` may vouch for no domain, `closed` creates no accounts, and `clients` is not for administrators.
 */
const startProviderService = async (environment: Settings): Promise<ProviderService> => {
  const provider = await startMisbehavingProvider();
  const { issuer, clientId, clientSecret } = provider;
  const common = { ISSUER: issuer, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
  const kinds = { ...common, KINDS: 'customers,employees,administrators' };
  const vouching = { ...kinds, DOMAINS: 'example.com' };
  const service = await startCodeService({
    OIDC_PROVIDERS: 'company,open,closed,clients',
    ...toProviderVariables('company', { ...vouching, NAME: 'Company', SECOND_FACTOR: 'on' }),
    ...toProviderVariables('open', kinds),
    ...toProviderVariables('closed', { ...vouching, SIGN_UP: 'off' }),
    ...toProviderVariables('clients', common),
    ...environment,
  });
  return {
    ...service,
    provider,
    signInWith: async (id, kind, claims, { fingerprint = uniqueFingerprint(), headers = {} } = {}) => {
      const client = createProviderClient(service, kind);
      provider.misbehave({ claims: { ...claims } });
      const callbackUrl = await visit(await client.authorize(id, fingerprint));
      return await client.signIn(id, callbackUrl, { fingerprint, headers });
    },
    stop: async () => {
      await service.stop();
      await provider.stop();
    },
  };
};

export const useProviderService = (environment: Settings = {}) =>
  useRunning(() => startProviderService(environment));
