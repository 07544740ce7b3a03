import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { startOidcProvider } from '@platform/dev/oidc-provider/oidc-provider';
import { openProviderBrowser } from '@platform/dev/testing/provider-browser';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { listenLocally } from '@platform/shared/testing/local-server';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { type RunningAuthService, startAuthService } from '../../testing/auth-service.ts';
import { redirectTo, toProviderVariables } from '../../testing/provider.ts';

const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'] as const;

describe('sign-in with a certified provider', () => {
  let provider: Awaited<ReturnType<typeof startOidcProvider>>;
  let receiver: Awaited<ReturnType<typeof listenLocally>>;
  let service: RunningAuthService;

  /**
   * Passes the provider's logout tokens on to the service, because the provider starts before the service has
   * a port.
   */
  const passOn = (path: string, body: string) =>
    send(service.url, 'POST', `/api/v1/auth/oidc${path}/backchannel-logout`, {
      body,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });

  before('start them', async () => {
    receiver = await listenLocally(
      createServer(async (req, res) => {
        const { status } = await passOn(req.url ?? '', await text(req));
        res.writeHead(status).end();
      }),
    );
    provider = await startOidcProvider({
      clients: ALGORITHMS.map((signedBy) => ({
        clientId: signedBy,
        clientSecret: 'secret',
        signedBy,
        backchannelLogoutUri: `http://127.0.0.1:${receiver.port}/${signedBy.toLowerCase()}`,
      })),
      people: ALGORITHMS.map((name) => ({ sub: name, email: `${name}@example.com`, emailVerified: true })),
    });
    const settings = ALGORITHMS.map((id) =>
      toProviderVariables(id, {
        ISSUER: provider.issuer,
        CLIENT_ID: id,
        CLIENT_SECRET: 'secret',
        DOMAINS: '*',
      }),
    );
    const ids = ALGORITHMS.map((id) => id.toLowerCase()).join(',');
    service = await startAuthService({ OIDC_PROVIDERS: ids, ...Object.assign({}, ...settings) });
  });
  after('stop them', async () => {
    await service.stop();
    await provider.stop();
    await receiver.close();
  });

  for (const algorithm of ALGORITHMS)
    it(`works with ${algorithm}, through a rotation of the keys and until the sign-out there`, async () => {
      const id = algorithm.toLowerCase();
      const client = service.as('customer');
      const browser = openProviderBrowser();
      const signIn = async () => {
        const fingerprint = uniqueFingerprint();
        const { body } = await client.oidcAuthorize({ provider: id, fingerprint, body: redirectTo(id) });
        const callbackUrl = await browser.signIn(body.authorizationUrl, algorithm);
        const response = await client.oidcSignIn({
          fingerprint,
          provider: id,
          body: { callbackUrl },
        });
        expect(response.status, response.text).to.equal(200);
        return response;
      };
      const first = await signIn();
      await provider.rotateKeys();
      const second = await signIn();
      expect(second.body.user).to.deep.equal(first.body.user);
      await browser.signOut(provider.issuer);
      for (const signedIn of [first, second]) {
        const device = service.as('customer').toDevice(signedIn);
        expectError(await service.as('customer').me(device), 401, 'TOKEN_INVALID');
      }
    });

  it('binds the code to the request by PKCE', async () => {
    const client = service.as('customer');
    const open = async (person: string) => {
      const fingerprint = uniqueFingerprint();
      const { body } = await client.oidcAuthorize({
        provider: 'rs256',
        fingerprint,
        body: redirectTo('rs256'),
      });
      const callbackUrl = new URL(await openProviderBrowser().signIn(body.authorizationUrl, person));
      return { fingerprint, callbackUrl };
    };
    const [stolen, own] = [await open('RS256'), await open('ES256')];
    own.callbackUrl.searchParams.set('code', stolen.callbackUrl.searchParams.get('code') ?? '');
    const { fingerprint } = own;
    const response = await client.oidcSignIn({
      fingerprint,
      provider: 'rs256',
      body: { callbackUrl: own.callbackUrl.href },
    });
    expectError(response, 401, 'OIDC_RESPONSE_INVALID');
  });

  it('is denied when the person cancels', async () => {
    const client = service.as('customer');
    const { body } = await client.oidcAuthorize({
      provider: 'rs256',
      fingerprint: 'device',
      body: redirectTo('rs256'),
    });
    const callbackUrl = await openProviderBrowser().deny(body.authorizationUrl);
    expectError(
      await client.oidcSignIn({
        fingerprint: 'device',
        provider: 'rs256',
        body: { callbackUrl },
      }),
      401,
      'OIDC_DENIED',
    );
  });
});
