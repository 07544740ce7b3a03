import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenLocally } from '@platform/shared/testing/local-server';
import { expect } from 'chai';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import * as client from 'openid-client';
import { startMisbehavingProvider } from '../testing/misbehaving-provider.ts';
import { openProviderBrowser } from '../testing/provider-browser.ts';
import { SIGNATURES } from '../testing/provider-tokens.ts';
import { hasCompanyProvider } from './company-provider.ts';
import { startOidcProvider } from './oidc-provider.ts';

const redirectUri = 'http://localhost:1234/callback';

/** Discovers the provider, and checks the signatures of ID tokens. */
const discover = (issuer: string, clientId: string, algorithm = clientId): Promise<client.Configuration> =>
  client.discovery(
    new URL(issuer),
    clientId,
    { client_secret: 'secret', id_token_signed_response_alg: algorithm },
    undefined,
    { execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks] },
  );

/** The whole code flow with PKCE, state and nonce. */
const startFlow = async (config: client.Configuration) => {
  const [pkceCodeVerifier, expectedState, expectedNonce] = [
    client.randomPKCECodeVerifier(),
    client.randomState(),
    client.randomNonce(),
  ];
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const complete = (callbackUrl: string) =>
    client.authorizationCodeGrant(config, new URL(callbackUrl), {
      pkceCodeVerifier,
      expectedState,
      expectedNonce,
    });
  return { url: url.href, complete };
};

const signIn = async (config: client.Configuration, sub: string) => {
  const { url, complete } = await startFlow(config);
  return complete(await openProviderBrowser().signIn(url, sub));
};

describe('OpenID provider of the development stack', () => {
  let provider: Awaited<ReturnType<typeof startOidcProvider>>;
  let receiver: Awaited<ReturnType<typeof listenLocally>>;
  const logoutTokens: string[] = [];

  before(async () => {
    receiver = await listenLocally(
      createServer(async (req, res) => {
        logoutTokens.push(new URLSearchParams(await text(req)).get('logout_token') ?? '');
        res.end();
      }),
    );
    const clientSecret = 'secret';
    const backchannelLogoutUri = `http://127.0.0.1:${receiver.port}/`;
    provider = await startOidcProvider({
      clients: (['RS256', 'ES256', 'EdDSA'] as const).map((signedBy) => ({
        ...{ clientId: signedBy, clientSecret, signedBy, backchannelLogoutUri },
      })),
      people: [
        { sub: 'ada', email: 'ada@example.com', emailVerified: true, name: 'Ada', amr: ['pwd', 'otp'] },
        { sub: 'bob', email: 'bob@example.com' },
      ],
    });
  });
  after(async () => {
    await provider.stop();
    await receiver.close();
  });

  for (const algorithm of ['RS256', 'ES256', 'EdDSA'])
    it(`completes the code flow of openid-client with ${algorithm}, also after a rotation of its keys`, async () => {
      const tokens = await signIn(await discover(provider.issuer, algorithm), 'ada');
      expect(decodeProtectedHeader(tokens.id_token ?? '').alg).to.equal(algorithm);
      const claims = { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada' };
      expect(tokens.claims()).to.deep.include({ ...claims, amr: ['pwd', 'otp'] });
      await provider.rotateKeys();
      const bob = (await signIn(await discover(provider.issuer, algorithm), 'bob')).claims();
      expect(bob)
        .to.include({ sub: 'bob', email: 'bob@example.com' })
        .and.not.have.any.keys('amr', 'email_verified');
    });

  it('returns to the client with access_denied when the person cancels', async () => {
    const { url } = await startFlow(await discover(provider.issuer, 'RS256'));
    const callbackUrl = new URL(await openProviderBrowser().deny(url));
    expect(callbackUrl.searchParams.get('error')).to.equal('access_denied');
  });

  it('sends a logout token with the session of the ID token when the person signs out', async () => {
    const browser = openProviderBrowser();
    const { url, complete } = await startFlow(await discover(provider.issuer, 'ES256'));
    const { id_token: idToken = '' } = await complete(await browser.signIn(url, 'ada'));
    await browser.signOut(provider.issuer);
    expect(decodeJwt(logoutTokens.at(-1) ?? '')).to.include({
      sub: 'ada',
      aud: 'ES256',
      sid: decodeJwt(idToken)['sid'],
    });
  });
});

describe('OpenID provider of the development stack: OIDC_PROVIDERS', () => {
  it('is replaced by other providers, and absent in production, which accepts no issuer without TLS', () => {
    const environments = [
      {},
      { OIDC_PROVIDERS: '' },
      { OIDC_PROVIDERS: 'other' },
      { NODE_ENV: 'production' },
    ];
    expect(environments.map(hasCompanyProvider)).to.deep.equal([true, true, false, false]);
  });
});

describe('misbehaving OpenID provider', () => {
  let provider: Awaited<ReturnType<typeof startMisbehavingProvider>>;

  before(async () => {
    provider = await startMisbehavingProvider();
  });
  after(() => provider.stop());

  it('signs in, but not with an ID token that has another signature than that of its published key', async () => {
    for (const signature of SIGNATURES) {
      provider.misbehave({ signature });
      const flow = signIn(await discover(provider.issuer, provider.clientId, 'RS256'), '');
      const sub = await flow.then((tokens) => tokens.claims()?.sub).catch(() => 'refused');
      expect(sub, signature).to.equal(signature === 'RS256' ? provider.person.sub : 'refused');
    }
  });
});
