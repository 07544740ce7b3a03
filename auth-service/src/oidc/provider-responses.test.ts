import { CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { newPerson, redirectTo, redirectUriOf, useProvider, visit } from '../../testing/provider.ts';

type Misbehaviour = Parameters<ReturnType<ReturnType<typeof useProvider>>['misbehave']>[0];

const seconds = (offset: number): number => Math.floor(Date.now() / 1_000) + offset;

/** Responses that no honest provider gives to this request. */
const INVALID: Record<string, Misbehaviour> = {
  'another nonce': { claims: { nonce: 'another' } },
  'no nonce': { claims: { nonce: undefined } },
  'another audience': { claims: { aud: 'another' } },
  'no audience': { claims: { aud: undefined } },
  'several audiences, issued to another client': { claims: { aud: ['platform', 'other'], azp: 'other' } },
  'several audiences, issued to nobody': { claims: { aud: ['platform', 'other'], azp: undefined } },
  'another authorized party': { claims: { azp: 'other' } },
  'no text as the authorized party': { claims: { azp: ['platform'] } },
  'the hash of another access token': { claims: { at_hash: 'LDktKdoQak3Pk0cnXxCltA' } },
  'no text as the hash of the access token': { claims: { at_hash: null } },
  'the hash of another code': { claims: { c_hash: 'LDktKdoQak3Pk0cnXxCltA' } },
  'another issuer': { claims: { iss: 'https://login.example.com' } },
  'no issuer in the ID token': { claims: { iss: undefined } },
  'no subject': { claims: { sub: undefined } },
  'an empty subject': { claims: { sub: '' } },
  'a number as the subject': { claims: { sub: 1 } },
  'a profile of another subject': { claims: { email: undefined }, userinfo: { sub: 'another' } },
  'a subject with NUL': { claims: { sub: 'a\0b' } },
  'a subject that is too long': { claims: { sub: 'x'.repeat(256) } },
  'an expired token': { claims: { iat: seconds(-400), exp: seconds(-90) } },
  'a token from the future': { claims: { iat: seconds(600), exp: seconds(900) } },
  'an old token': { claims: { iat: seconds(-690) } },
  'a token without expiry': { claims: { exp: undefined } },
  'the key of another provider': { signature: 'RS256 with another key' },
  'an unknown key': { signature: 'RS256 with an unknown kid' },
  'a key without a name': { signature: 'RS256 without a kid and with another key' },
  'HS256 with the public key': { signature: 'HS256 with the public key' },
  'HS256 with the client secret': { signature: 'HS256 with the client secret' },
  'no signature': { signature: 'none' },
  'an edited token': { signature: 'edited after signing' },
  'the issuer of another provider (mix-up)': { callback: { iss: 'https://login.example.com' } },
  'no issuer': { callback: { iss: undefined } },
  'an unknown code': { callback: { code: 'unknown' } },
  'no ID token': { responses: { token: { body: { access_token: 'a', token_type: 'Bearer' } } } },
};

const UNAVAILABLE = [
  'closes the connection',
  'sends garbage',
  'redirects to itself',
  'fails with 500',
  'sends a huge body',
] as const;

describe('response of a provider', () => {
  const provider = useProvider();
  const service = useAuthService(() => provider().settings);
  const customers = () => service().as('customer');
  /** Signs in at the provider, up to the callback. */
  const start = async (misbehaviour: Misbehaviour = {}, fingerprint = uniqueFingerprint()) => {
    provider().misbehave({ ...misbehaviour, claims: { ...newPerson(), ...misbehaviour?.claims } });
    return {
      fingerprint,
      callbackUrl: await visit(
        await customers().oidcAuthorize({ provider: 'company', fingerprint, body: redirectTo('company') }),
      ),
    };
  };

  const expectSignedIn = async (misbehaviour: Misbehaviour): Promise<void> => {
    const { fingerprint, callbackUrl } = await start(misbehaviour);
    const body = { callbackUrl };
    const { status, text } = await customers().oidcSignIn({ fingerprint, provider: 'company', body });
    expect(status, text).to.equal(200);
  };

  for (const [name, misbehaviour] of Object.entries(INVALID))
    it(`is invalid with ${name}`, async () => {
      const { fingerprint, callbackUrl } = await start(misbehaviour);
      const response = await customers().oidcSignIn({
        fingerprint,
        provider: 'company',
        body: { callbackUrl },
      });
      expectError(response, 401, 'OIDC_RESPONSE_INVALID');
    });

  it('is valid within a clock skew of 60 s', async () => {
    for (const claims of [{ iat: seconds(-300), exp: seconds(-40) }, { iat: seconds(45) }])
      await expectSignedIn({ claims });
  });

  it('is valid with and without the claims that bind it to client, code and access token', async () => {
    for (const claims of [{}, { azp: undefined, at_hash: undefined, c_hash: undefined }])
      await expectSignedIn({ claims });
  });

  it('counts as a denial when the provider returns an error', async () => {
    const { fingerprint, callbackUrl } = await start({
      callback: { code: undefined, error: 'access_denied' },
    });
    expectError(
      await customers().oidcSignIn({ fingerprint, provider: 'company', body: { callbackUrl } }),
      401,
      'OIDC_DENIED',
    );
  });

  it('is accepted once, also for a denial and for parallel requests', async () => {
    for (const misbehaviour of [{}, { callback: { error: 'access_denied' } }]) {
      const { fingerprint, callbackUrl } = await start(misbehaviour);
      const signIn = () =>
        customers().oidcSignIn({ fingerprint, provider: 'company', body: { callbackUrl } });
      const codes = (await Promise.all([signIn(), signIn(), signIn()])).map(({ code }) => code);
      expect(codes.filter((code) => code === 'OIDC_STATE_INVALID')).to.have.length(2);
    }
  });

  it('is accepted only on the device, for the kind, provider and address that requested it', async () => {
    const change = (part: (url: URL) => void) => (callbackUrl: string) => {
      const url = new URL(callbackUrl);
      part(url);
      return url.href;
    };
    const same = (callbackUrl: string) => callbackUrl;
    for (const [name, edit, request] of [
      ['another device', same, { fingerprint: uniqueFingerprint() }],
      ['another kind', same, { kind: EMPLOYEE }],
      ['another provider', same, { id: 'open' }],
      ['another host', change((url) => (url.host = '127.0.0.1:5173')), {}],
      ['another path', change((url) => (url.pathname = '/callback/')), {}],
      ['credentials in the address', change((url) => (url.username = 'a')), {}],
      ['another state', change((url) => url.searchParams.set('state', 'a')), {}],
      ['no state', change((url) => url.searchParams.delete('state')), {}],
      ['no address', () => 'callback', {}],
    ] as [string, (url: string) => string, { fingerprint?: string; kind?: typeof EMPLOYEE; id?: string }][]) {
      const { fingerprint, callbackUrl } = await start();
      const { kind = CUSTOMER, id = 'company', ...own } = request;
      const client = service().as(kind);
      const response = await client.oidcSignIn({
        fingerprint,
        ...own,
        provider: id,
        body: { callbackUrl: edit(callbackUrl) },
      });
      expect(response.code, name).to.equal('OIDC_STATE_INVALID');
    }
  });

  it('is rejected with repeated or additional parameters', async () => {
    for (const added of ['iss=https://other.example', 'state=other', 'code=other', 'id_token=eyJ.eyJ.x']) {
      const { fingerprint, callbackUrl } = await start();
      const response = await customers().oidcSignIn({
        fingerprint,
        provider: 'company',
        body: { callbackUrl: `${callbackUrl}&${added}` },
      });
      expect(response.code, added).to.equal('OIDC_RESPONSE_INVALID');
    }
  });

  it('is rejected with the code of another request, which has another nonce', async () => {
    const [stolen, own] = [await start(), await start()];
    const code = new URL(stolen.callbackUrl).searchParams.get('code') ?? '';
    const injected = new URL(own.callbackUrl);
    injected.searchParams.set('code', code);
    const response = await customers().oidcSignIn({
      fingerprint: own.fingerprint,
      provider: 'company',
      body: { callbackUrl: injected.href },
    });
    expectError(response, 401, 'OIDC_RESPONSE_INVALID');
  });

  it('is never sent to an address that is not listed', async () => {
    for (const uri of [
      'https://evil.example.com/',
      'http://localhost.example.com/',
      `${redirectUriOf('company')}?a=b`,
      'callback',
    ])
      expectError(
        await customers().oidcAuthorize({
          provider: 'company',
          fingerprint: 'device',
          body: { redirectUri: uri },
        }),
        400,
        'VALIDATION_FAILED',
        '/body/redirectUri',
      );
  });

  it('is not requested from a provider that is unknown, or not for the kind', async () => {
    const administrators = service().as('administrator');
    for (const response of [
      await customers().oidcAuthorize({
        provider: 'unknown',
        fingerprint: 'device',
        body: redirectTo('unknown'),
      }),
      await customers().oidcSignIn({
        fingerprint: 'device',
        provider: 'unknown',
        body: { callbackUrl: redirectUriOf('unknown') },
      }),
      await administrators.oidcAuthorize({
        provider: 'clients',
        fingerprint: 'device',
        body: redirectTo('clients'),
      }),
      await administrators.oidcSignIn({
        fingerprint: 'device',
        provider: 'clients',
        body: { callbackUrl: redirectUriOf('clients') },
      }),
    ])
      expectError(response, 404, 'PROVIDER_NOT_FOUND');
  });
});

describe('provider that does not respond', () => {
  const provider = useProvider();
  const service = useAuthService(() => provider().settings);

  for (const fault of UNAVAILABLE)
    it(`is unavailable when it ${fault}`, async () => {
      const client = service().as('customer');
      const fingerprint = uniqueFingerprint();
      provider().misbehave({ claims: newPerson() });
      const callbackUrl = await visit(
        await client.oidcAuthorize({ provider: 'company', fingerprint, body: redirectTo('company') }),
      );
      provider().misbehave({ responses: { token: fault } });
      const response = await client.oidcSignIn({
        fingerprint,
        provider: 'company',
        body: { callbackUrl },
      });
      expectError(response, 503, 'OIDC_PROVIDER_UNAVAILABLE');
      expect(Number(response.headers['retry-after'])).to.be.above(0);
      await service().as('customer').createDevice();
      provider().misbehave({ claims: newPerson() });
      expect((await provider().signInWith(service().as('customer'), 'company', newPerson())).status).to.equal(
        200,
      );
    });

  it('signs in others after it rejected the token of one person, many times', async () => {
    const client = service().as('customer');
    for (const _ of Array(4)) {
      const fingerprint = uniqueFingerprint();
      const claims = { ...newPerson(), email: undefined };
      provider().misbehave({ claims });
      const callbackUrl = await visit(
        await client.oidcAuthorize({ provider: 'company', fingerprint, body: redirectTo('company') }),
      );
      provider().misbehave({
        claims,
        responses: { userinfo: { status: 401, headers: { 'www-authenticate': 'Bearer' } } },
      });
      const { status, text } = await client.oidcSignIn({
        fingerprint,
        provider: 'company',
        body: { callbackUrl },
      });
      expect(status, text).to.equal(503);
    }
    expect((await provider().signInWith(service().as('customer'), 'company', newPerson())).status).to.equal(
      200,
    );
  });

  it('is unavailable with an unencrypted address in its metadata', async () => {
    const { discovery, misbehave } = provider();
    for (const name of ['jwks_uri', 'token_endpoint', 'userinfo_endpoint', 'authorization_endpoint']) {
      const body = { ...discovery, [name]: 'http://192.0.2.1/' };
      misbehave({ responses: { discovery: { body } } });
      const response = await service()
        .as('customer')
        .oidcAuthorize({ provider: 'clients', fingerprint: 'device', body: redirectTo('clients') });
      expectError(response, 503, 'OIDC_PROVIDER_UNAVAILABLE');
    }
  });
});
