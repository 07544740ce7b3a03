import './accept-runtime.ts';
import { generateKeyPair, type KeyObject, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { createHostCheck, type HostCheck } from '@platform/shared/network/known-hosts';
import { requireKnownHost } from '@platform/shared/server/require-known-host';
import express from 'express';
import Provider, {
  type ClientMetadata,
  type Configuration,
  type JWK,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { createProviderPages, type People, type Person, renderPage } from './provider-pages.ts';
import { createProviderStorage } from './provider-storage.ts';

type ProviderClient = {
  clientId: string;
  clientSecret: string;
  /** Receives a logout token, with `sub` and `sid`, for each sign-out at the provider. */
  backchannelLogoutUri?: string;
  /** `false`: logout tokens have only `sub`, and ID tokens have no `sid`. */
  hasSessionId?: boolean;
  /** The algorithm of ID tokens and logout tokens; RS256 by default. */
  signedBy?: 'RS256' | 'ES256' | 'EdDSA';
  /** The only addresses to which it may return; any of this machine by default. */
  redirectUris?: string[];
};

type OidcProviderOptions = {
  /** By default, any free port is used. */
  port?: number;
  clients: ProviderClient[];
  people: Person[];
  /** `false`: responses have no `iss`, which is optional (RFC 9207). */
  namesIssuer?: boolean;
  /** The hosts to which clients may return, and at which the provider is called. */
  isKnownHost?: HostCheck;
};

const host = '127.0.0.1';
const dayInSeconds = 86_400;
/** Required by the library, and stands for any address of this machine. */
const anyLoopback = `http://${host}/`;

const toJwk = ({ privateKey }: { privateKey: KeyObject }): JWK =>
  ({ ...privateKey.export({ format: 'jwk' }), use: 'sig', kid: randomUUID() }) as JWK;

const createKeys = async (): Promise<JWK[]> => {
  const generate = promisify(generateKeyPair);
  const pairs = await Promise.all([
    generate('rsa', { modulusLength: 2_048 }),
    generate('ec', { namedCurve: 'P-256' }),
    generate('ed25519'),
  ]);
  return pairs.map(toJwk);
};

const toClientMetadata = (client: ProviderClient): ClientMetadata => ({
  client_id: client.clientId,
  client_secret: client.clientSecret,
  token_endpoint_auth_method: 'client_secret_post', // the default of openid-client
  redirect_uris: client.redirectUris ?? [anyLoopback],
  id_token_signed_response_alg: client.signedBy ?? 'RS256',
  ...(client.backchannelLogoutUri && {
    backchannel_logout_uri: client.backchannelLogoutUri,
    backchannel_logout_session_required: client.hasSessionId ?? true,
  }),
});

/** Accepts any port and path of these hosts for most clients: the frontends in development are unknown. */
const acceptRedirects = (provider: Provider, isKnownHost: HostCheck): void => {
  provider.Client.prototype.redirectUriAllowed = function isAllowed(uri) {
    const { redirectUris = [] } = this;
    if (redirectUris.includes(uri)) return true;
    return redirectUris.includes(anyLoopback) && isKnownHost(URL.parse(uri)?.host ?? '');
  };
};

const omitIssuer = (provider: Provider): void => {
  provider.on('authorization.success', (_ctx, response) => delete response?.['iss']);
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.oidc?.route === 'discovery') delete ctx.body.authorization_response_iss_parameter_supported;
  });
};

const findAccount = (people: People) => (_ctx: unknown, sub: string) => {
  const person = people.get(sub);
  if (person === undefined) return undefined;
  const { email, emailVerified: email_verified, name } = person;
  return { accountId: sub, claims: () => ({ sub, email, email_verified, name }) };
};

/** Grants the requested scopes, because the sign-in page is also the consent. */
const grantRequestedScopes = async (ctx: KoaContextWithOIDC) => {
  const { provider, client, session, params } = ctx.oidc;
  const grant = new provider.Grant({
    ...(client && { clientId: client.clientId }),
    ...(session?.accountId && { accountId: session.accountId }),
  });
  grant.addOIDCScope(String(params?.scope ?? 'openid'));
  await grant.save();
  return grant;
};

const features: NonNullable<Configuration['features']> = {
  devInteractions: { enabled: false },
  backchannelLogout: { enabled: true },
  rpInitiatedLogout: {
    logoutSource: (ctx, form) => {
      const button = '<button form="op.logoutForm" name="logout" value="yes">Sign out</button>';
      ctx.body = renderPage('Sign out at the provider', form + button);
    },
    postLogoutSuccessSource: (ctx) => {
      ctx.body = renderPage('Signed out at the provider', '');
    },
  },
};

const createConfiguration = (clients: ProviderClient[], people: People): Configuration => ({
  clients: clients.map(toClientMetadata),
  adapter: createProviderStorage(),
  cookies: { keys: [randomUUID()] },
  // The ID token contains `amr` and the address, as with most providers, and not only the userinfo response.
  claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], profile: ['name'] },
  conformIdTokenClaims: false,
  findAccount: findAccount(people),
  loadExistingGrant: grantRequestedScopes,
  interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  // The provider's dispatcher rejects connections to loopback addresses, where the platform receives logout
  // tokens.
  fetch: (url, { dispatcher: _dispatcher, ...options } = {}) => fetch(url, options),
  features,
  renderError: (ctx, { error }) => {
    ctx.type = 'html';
    ctx.body = renderPage('The provider rejected the request', `<p>${error}</p>`);
  },
  ttl: { AccessToken: 3_600, IdToken: 3_600, Interaction: 3_600, Grant: dayInSeconds, Session: dayInSeconds },
});

const createProvider = (
  issuer: string,
  configuration: Configuration,
  keys: JWK[],
  { namesIssuer = true, isKnownHost = createHostCheck() }: OidcProviderOptions,
) => {
  const provider = new Provider(issuer, { ...configuration, jwks: { keys } });
  acceptRedirects(provider, isKnownHost);
  if (!namesIssuer) omitIssuer(provider);
  return { provider, handle: provider.callback() };
};

/**
 * Starts a certified OpenID provider on 127.0.0.1, without passwords and storage, for development and tests.
 */
export const startOidcProvider = async (options: OidcProviderOptions) => {
  const { port = 0, clients, people: initial, isKnownHost = createHostCheck() } = options;
  const people: People = new Map(initial.map((person) => [person.sub, person]));
  const configuration = createConfiguration(clients, people);
  const app = express().disable('x-powered-by');
  const server = createServer(requireKnownHost(isKnownHost, app)).listen(port, host);
  await once(server, 'listening');
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;
  let keys = await createKeys();
  let current = createProvider(issuer, configuration, keys, options);
  app.use(createProviderPages(() => current.provider, people));
  app.use((req, res) => void current.handle(req, res));

  return {
    issuer,
    /**
     * Keyed by `sub`. Tests can add and change them at any time. `amr` applies from the next sign-in at the
     * provider.
     */
    people,
    /** Signs with new keys, and still publishes the previous ones. Sessions and codes stay valid. */
    rotateKeys: async () => {
      const previous = keys;
      keys = await createKeys();
      current = createProvider(issuer, configuration, [...keys, ...previous], options);
    },
    /** Stops listening; open connections end. */
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
