import { expect } from 'chai';
import { createCookieJar } from '../src/cookie-jar.ts';
import { createMemoryStorage } from '../src/device.ts';
import { createPlatformClient } from '../src/platform-client.ts';
import { isPlatformError, PlatformError } from '../src/platform-error.ts';
import {
  AUTH,
  CREDENTIALS,
  caught,
  failure,
  html,
  json,
  session,
  useFakeGateway,
  user,
} from './fake-gateway.ts';

// Covers responses that the platform rarely sends or that a proxy sends instead. test/system covers the
// others.

describe('client', () => {
  const gateway = useFakeGateway();
  const { responders, requests } = gateway;
  beforeEach(() => responders.set('/auth/me', json(200, { kind: 'customer' })));

  const createClient = () => {
    const client = gateway.createClient();
    const reasons: string[] = [];
    client.onSignedOut((reason) => reasons.push(reason));
    return { ...client, reasons };
  };
  const signIn = async () => {
    const client = createClient();
    await client.signIn(CREDENTIALS);
    requests.length = 0;
    return client;
  };
  const failed = async (call: Promise<unknown>): Promise<PlatformError> => {
    const error = await caught(call);
    expect(error).to.be.instanceOf(PlatformError);
    return error as PlatformError;
  };

  for (const [name, responder, status] of [
    ['200 with HTML', html(200), 200],
    ['502 with HTML', html(502), 502],
    ['401 with HTML', html(401), 401],
  ] as const)
    it(`fails with ANSWER_UNREADABLE and keeps the session after ${name}`, async () => {
      const client = await signIn();
      responders.set('/auth/me', responder);
      expect(await failed(client.GET('/auth/me'))).to.include({ code: 'ANSWER_UNREADABLE', status });
      expect((await failed(client.GET('/auth/me'))).requestId).to.equal('r-2');
      expect(client.isSignedIn()).to.equal(true);
    });

  it('fails with GATEWAY_UNREACHABLE after a truncated response', async () => {
    responders.set('/auth/me', (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
      response.write('{"kind":', () => response.destroy());
    });
    expect((await failed(createClient().GET('/auth/me'))).code).to.equal('GATEWAY_UNREACHABLE');
  });

  it('does not follow a redirect with the access token', async () => {
    const client = await signIn();
    responders.set('/auth/me', (response) => {
      response.writeHead(307, { Location: `${gateway.url()}/api/v1/elsewhere` }).end();
    });
    expect((await failed(client.GET('/auth/me'))).code).to.equal('GATEWAY_UNREACHABLE');
    expect(requests).to.deep.equal(['GET /auth/me Bearer first']);
  });

  it('refreshes and retries once when the new token is rejected too', async () => {
    const client = await signIn();
    responders.set('/auth/me', failure(401, 'TOKEN_INVALID'));
    const { code, requestId } = await failed(client.GET('/auth/me'));
    expect({ code, requestId }).to.deep.equal({ code: 'TOKEN_INVALID', requestId: 'r-1' });
    expect(requests).to.deep.equal([
      'GET /auth/me Bearer first',
      'GET /customers/auth/refresh/token -',
      'GET /auth/me Bearer second',
    ]);
    expect(client.isSignedIn()).to.equal(true);
  });

  for (const [status, code] of [
    [429, 'RATE_LIMITED'],
    [500, 'INTERNAL_ERROR'],
    [502, 'UPSTREAM_UNAVAILABLE'],
    [503, 'SERVICE_UNAVAILABLE'],
    [504, 'UPSTREAM_TIMEOUT'],
  ] as const)
    it(`fails with ${code} and keeps the session after a refresh with status ${status}`, async () => {
      const client = await signIn();
      responders.set('/auth/me', failure(401, 'TOKEN_INVALID'));
      responders.set(`${AUTH}/refresh/token`, failure(status, code, { 'Retry-After': '7' }));
      expect(await failed(client.GET('/auth/me'))).to.include({ code, status, retryAfterSeconds: 7 });
      expect(requests).to.have.length(2);
      expect(client.isSignedIn()).to.equal(true);
      expect(client.reasons).to.deep.equal([]);
    });

  it('uses the old token after a 503 to the refresh before a call, and does not repeat the refresh', async () => {
    const past = Math.floor(Date.now() / 1_000);
    const payload = btoa(JSON.stringify({ iat: past, exp: past + 1 }));
    responders.set(`${AUTH}/sign-in`, json(200, { token: `header.${payload}.signature`, session, user }));
    responders.set(`${AUTH}/refresh/token`, failure(503, 'SERVICE_UNAVAILABLE'));
    const client = await signIn();
    expect(await client.GET('/auth/me')).to.deep.equal({ kind: 'customer' });
    responders.set('/auth/me', failure(401, 'TOKEN_INVALID'));
    requests.length = 0;
    expect((await failed(client.GET('/auth/me'))).code).to.equal('SERVICE_UNAVAILABLE');
    expect(requests.filter((request) => request.includes('refresh'))).to.have.length(1);
  });

  it('refreshes once for twenty concurrent calls, which all fail with its error', async () => {
    const client = await signIn();
    responders.set('/auth/me', failure(401, 'TOKEN_INVALID'));
    responders.set(`${AUTH}/refresh/token`, failure(503, 'SERVICE_UNAVAILABLE'));
    const errors = await Promise.all(Array.from({ length: 20 }, () => failed(client.GET('/auth/me'))));
    expect(new Set(errors.map(({ code }) => code))).to.deep.equal(new Set(['SERVICE_UNAVAILABLE']));
    expect(requests.filter((request) => request.includes('refresh'))).to.have.length(1);
  });

  it('stops retrying after repeated REFRESH_TOKEN_SUPERSEDED and keeps the session', async () => {
    const client = await signIn();
    responders.set('/auth/me', failure(401, 'TOKEN_INVALID'));
    responders.set(`${AUTH}/refresh/token`, failure(401, 'REFRESH_TOKEN_SUPERSEDED'));
    expect((await failed(client.GET('/auth/me'))).code).to.equal('REFRESH_TOKEN_SUPERSEDED');
    expect(requests.filter((request) => request.includes('refresh'))).to.have.length(4);
    expect(client.isSignedIn()).to.equal(true);
  });

  it('keeps the session and rejects a sign-out that the platform does not confirm', async () => {
    const client = await signIn();
    for (const responder of [html(401), failure(503, 'SERVICE_UNAVAILABLE')]) {
      responders.set(`${AUTH}/sign-out`, responder);
      await failed(client.signOut());
      expect(client.isSignedIn()).to.equal(true);
    }
  });

  it('keeps the session after 404 SESSION_NOT_FOUND for another session', async () => {
    const client = await signIn();
    responders.set(`${AUTH}/sessions/${session.id}`, failure(404, 'SESSION_NOT_FOUND'));
    const call = client.DELETE('/customers/auth/sessions/{sessionId}', {
      params: { path: { sessionId: session.id } },
    });
    expect((await failed(call)).code).to.equal('SESSION_NOT_FOUND');
    expect(client.isSignedIn()).to.equal(true);
  });

  it('encodes the parameters of paths and queries, and omits undefined ones', async () => {
    const administrator = gateway.createClient({ kind: 'administrator' });
    const query: { search: string } = { search: 'a&b +ü', ...{ page: undefined } };
    await caught(administrator.GET('/users', { params: { query } }));
    await caught(administrator.GET('/users/{id}', { params: { path: { id: '../x?y' } } }));
    expect(gateway.listRequests()).to.deep.equal([
      'GET /users?search=a%26b%20%2B%C3%BC',
      'GET /users/..%2Fx%3Fy',
    ]);
  });
});

describe('client storage', () => {
  it('creates a new device when the stored record is invalid', () => {
    for (const invalid of ['', 'x', 'null', '[]', '7', '{"fingerprint":7}', '{"sessionId":"x"}']) {
      const storage = createMemoryStorage();
      storage.setItem('platform.customer', invalid);
      const client = createPlatformClient({ gatewayUrl: 'http://127.0.0.1:1', kind: 'customer', storage });
      expect(client.isSignedIn(), invalid).to.equal(false);
      expect(storage.getItem('platform.customer')).to.match(
        /^{"fingerprint":"[0-9a-f]{32}","generation":0}$/,
      );
      client.close();
    }
  });

  it('keeps one device per kind in a shared storage', () => {
    const storage = createMemoryStorage();
    for (const kind of ['customer', 'employee'] as const)
      createPlatformClient({ gatewayUrl: 'http://127.0.0.1:1', kind, storage }).close();
    expect(storage.getItem('platform.customer')).not.to.equal(storage.getItem('platform.employee'));
  });

  it('sends the cookies that are neither replaced, cleared nor expired', () => {
    const jar = createCookieJar();
    const store = (...lines: string[]) =>
      jar.store(new Headers(lines.map((line): [string, string] => ['Set-Cookie', line])));
    store('A=1; Max-Age=60; Path=/; HttpOnly; Secure', 'B=x=y; Expires=Fri, 31 Dec 2100 00:00:00 GMT', 'C=3');
    expect(jar.header()).to.equal('A=1; B=x=y; C=3');
    store('A=2; max-age=60', 'B=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'C=; Max-Age=0');
    expect(jar.header()).to.equal('A=2');
    store('A=; Max-Age=-1');
    expect(jar.header()).to.equal(undefined);
  });

  it('distinguishes errors by class and code in isPlatformError', () => {
    const taken = new PlatformError('EMAIL_TAKEN', 'It is');
    expect(isPlatformError(taken)).to.equal(true);
    expect(isPlatformError(taken, 'USER_BLOCKED', 'EMAIL_TAKEN')).to.equal(true);
    expect(isPlatformError(taken, 'USER_BLOCKED')).to.equal(false);
    expect(isPlatformError(new Error('EMAIL_TAKEN'))).to.equal(false);
  });
});
