import { expect } from 'chai';
import { createMemoryStorage } from '../src/device.ts';
import { type Kind, ROUTES } from '../src/kinds.ts';
import * as oidc from '../src/oidc.ts';
import { isPlatformError } from '../src/platform-error.ts';
import {
  ANOTHER,
  AUTH,
  caught,
  failed,
  json,
  noContent,
  session,
  useFakeGateway,
  user,
} from './fake-gateway.ts';

const redirectUri = 'https://shop.example.com/callback';
const id = '0d3f7c1e-7b51-4a5e-8f43-9c2ad15bb0d4';
const identity = {
  id,
  provider: 'company',
  email: user.email,
  linkedAt: '2026-12-04T00:00:00.000Z',
  lastUsedAt: null,
};
const currentPassword = 'Correct horse 1';

describe('client sign-in with a provider', () => {
  const { responders, requests, createClient, listRequests } = useFakeGateway();
  let states: number;

  /** Each authorization has a different state; `expiresIn` is in seconds. */
  const respondToAuthorize = (path: string, expiresIn = 600) =>
    responders.set(path, (response, request) => {
      states += 1;
      const authorizationUrl = `https://login.example.com/auth?client_id=platform&state=s-${states}`;
      json(200, { authorizationUrl, expiresIn })(response, request);
    });
  beforeEach(() => {
    states = 0;
    respondToAuthorize(`${AUTH}/oidc/company/authorize`);
    responders.set(`${AUTH}/oidc/company/sign-in`, json(200, { token: 'first', user, session }));
  });

  /** Starts at the provider and returns the callback URL. */
  const begin = async (
    start: (options: { navigate: (url: string) => void }) => Promise<void>,
  ): Promise<string> => {
    let callbackUrl = '';
    await start({
      navigate: (authorizationUrl) => {
        const state = new URL(authorizationUrl).searchParams.get('state');
        callbackUrl = `${redirectUri}?code=c&state=${state}&iss=https%3A%2F%2Flogin.example.com`;
      },
    });
    return callbackUrl;
  };
  const signInWith = (client: Parameters<typeof oidc.signInWith>[0], provider = 'company') =>
    begin((options) =>
      oidc.signInWith(client, provider, { redirectUri, loginHint: 'ada@example.com' }, options),
    );

  for (const kind of ['customer', 'employee', 'administrator'] as const)
    it(`sends the operations of the kind: ${kind}`, async () => {
      const { auth } = ROUTES[kind];
      const bodies: unknown[] = [];
      const record = (request: Request) => {
        bodies.push(request.clone().text());
        return fetch(request);
      };
      const client = createClient<Kind>({ kind, fetch: record });
      const providers = [{ id: 'company', name: 'Company' }];
      responders.set(`${auth}/oidc/providers`, json(200, { data: providers }));
      responders.set(`${auth}/oidc/company/sign-in`, json(200, { token: 'first', user, session }));
      for (const path of ['oidc', 'identities']) respondToAuthorize(`${auth}/${path}/company/authorize`);
      responders.set(`${auth}/identities`, json(200, { data: [identity], hasPassword: true }));
      responders.set(`${auth}/identities/company`, json(201, identity));
      responders.set(`${auth}/identities/${id}`, noContent);

      expect(await oidc.listProviders(client)).to.deep.equal(providers);
      const signInUrl = await signInWith(client);
      expect(await oidc.completeSignIn(client, signInUrl)).to.deep.equal({ user, session });
      expect(client.isSignedIn()).to.equal(true);
      expect(await oidc.listIdentities(client)).to.deep.equal({ data: [identity], hasPassword: true });
      const body = { redirectUri, currentPassword };
      const linkUrl = await begin((options) => oidc.linkIdentity(client, 'company', body, options));
      expect(await oidc.completeLink(client, linkUrl)).to.deep.equal(identity);
      expect(await oidc.unlinkIdentity(client, id, { currentPassword })).to.equal(undefined);

      expect(listRequests()).to.deep.equal([
        `GET ${auth}/oidc/providers`,
        `POST ${auth}/oidc/company/authorize`,
        `POST ${auth}/oidc/company/sign-in`,
        `GET ${auth}/identities`,
        `POST ${auth}/identities/company/authorize`,
        `POST ${auth}/identities/company`,
        `DELETE ${auth}/identities/${id}`,
      ]);
      const sent = (await Promise.all(bodies)).filter((text) => text !== '');
      expect(sent.map((text) => JSON.parse(String(text)))).to.deep.equal([
        { redirectUri, loginHint: 'ada@example.com' },
        { callbackUrl: signInUrl },
        body,
        { callbackUrl: linkUrl },
        { currentPassword },
      ]);
    });

  it('sends each callback URL of two tabs to the provider that its tab chose', async () => {
    respondToAuthorize(`${AUTH}/oidc/other/authorize`);
    responders.set(`${AUTH}/oidc/other/sign-in`, json(200, { token: 'other', ...ANOTHER }));
    const storage = createMemoryStorage();
    const [first, second] = [createClient({ storage }), createClient({ storage })];
    const firstUrl = await signInWith(first);
    const secondUrl = await signInWith(second, 'other');
    requests.length = 0;
    // The pages were left, so other clients get the callback URLs.
    const [third, fourth] = [createClient({ storage }), createClient({ storage })];
    expect(await oidc.findPending(third, firstUrl)).to.deep.equal({
      provider: 'company',
      purpose: 'sign-in',
    });
    await oidc.completeSignIn(third, firstUrl);
    await oidc.completeSignIn(fourth, secondUrl);
    expect(listRequests()).to.deep.equal([
      `POST ${AUTH}/oidc/company/sign-in`,
      `POST ${AUTH}/oidc/other/sign-in`,
    ]);
    for (const tab of [first, second, third, fourth]) {
      expect(tab.getSnapshot()).to.deep.equal({ status: 'signed-in', ...ANOTHER });
      tab.close();
    }
  });

  it('rejects a callback URL of another browser, kind or purpose, or without a state', async () => {
    const client = createClient();
    const storage = createMemoryStorage();
    const callbackUrl = await signInWith(createClient({ storage }));
    const calls = [
      oidc.completeSignIn(client, callbackUrl),
      oidc.completeSignIn(createClient<Kind>({ storage, kind: 'employee' }), callbackUrl),
      oidc.completeLink(createClient({ storage }), callbackUrl),
      oidc.completeSignIn(createClient({ storage }), `${redirectUri}?error=access_denied`),
    ];
    for (const call of calls) expect(await failed(call)).to.equal('OIDC_STATE_INVALID');
    expect(await oidc.findPending(client, callbackUrl)).to.equal(undefined);
    expect(listRequests()).to.deep.equal([`POST ${AUTH}/oidc/company/authorize`]);
  });

  it('forgets expired sign-ins, and ignores an invalid stored text', async () => {
    const storage = createMemoryStorage();
    const client = createClient({ storage });
    respondToAuthorize(`${AUTH}/oidc/company/authorize`, 0);
    expect(await failed(oidc.completeSignIn(client, await signInWith(client)))).to.equal(
      'OIDC_STATE_INVALID',
    );
    respondToAuthorize(`${AUTH}/oidc/company/authorize`);
    const key = 'platform.customer.oidc';
    for (const text of ['{', 'null', '[null]', '{"state":"s-1"}']) {
      storage.setItem(key, text);
      const callbackUrl = await signInWith(client);
      expect(JSON.parse(storage.getItem(key) ?? '')).to.have.length(1);
      await oidc.completeSignIn(client, callbackUrl);
    }
  });

  it('rejects with the challenge of a second factor, and stays signed out', async () => {
    const client = createClient();
    const required = { statusCode: 401, error: 'Unauthorized', message: 'Some', requestId: 'r-1' };
    const second = { code: 'SECOND_FACTOR_REQUIRED', challenge: 'c-1', factors: ['totp'] };
    responders.set(`${AUTH}/oidc/company/sign-in`, json(401, { ...required, ...second }));
    const error = await caught(oidc.completeSignIn(client, await signInWith(client)));
    if (!isPlatformError(error, 'SECOND_FACTOR_REQUIRED')) throw error;
    expect(error).to.deep.include({ challenge: 'c-1', factors: ['totp'] });
    expect(client.isSignedIn()).to.equal(false);
  });

  it('rejects with the address of an account that exists', async () => {
    const client = createClient();
    const conflict = { statusCode: 409, error: 'Conflict', message: 'Some', requestId: 'r-1' };
    const body = { ...conflict, code: 'ACCOUNT_EXISTS', email: 'ada@example.com' };
    responders.set(`${AUTH}/oidc/company/sign-in`, json(409, body));
    const error = await caught(oidc.completeSignIn(client, await signInWith(client)));
    if (!isPlatformError(error, 'ACCOUNT_EXISTS')) throw error;
    expect(error.email).to.equal('ada@example.com');
  });
});
