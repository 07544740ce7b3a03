import { createPlatformClient } from '@platform/client';
import { exampleOfSchema } from '@platform/shared/http/schema-example';
import { waitFor } from '@platform/shared/testing/poll';
import { type NodeProcess, startProcess } from '@platform/shared/testing/process';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { loadOperations, type Operation, validateBody } from '../openapi-operations.ts';
import { expectFailure } from './simulated-browser.ts';

const FINGERPRINT = { 'X-Fingerprint': 'mock-test' };
const ID = '5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11';
const ORIGIN = 'http://localhost:5173';
const SIGN_IN_PATHS = {
  customer: '/api/v1/customers/auth/sign-in',
  employee: '/api/v1/employees/auth/sign-in',
  administrator: '/api/v1/auth/admin/sign-in',
} as const;
type Kind = keyof typeof SIGN_IN_PATHS;

/** Of the only operation that is called by other servers. */
const FORM = {
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: 'logout_token=mock',
};

const startMock = (port: string): NodeProcess =>
  startProcess(['run.mjs', 'dev/mock/mock.ts'], {
    environment: { PATH: process.env['PATH'], MOCK_PORT: port },
  });

describe('mock for frontends', () => {
  let mock: NodeProcess;
  let url: string;
  before('start the mock', async () => {
    mock = startMock('0');
    const port = await waitFor(
      'the mock is ready',
      () => /localhost:(\d+)\/api\/v1/.exec(mock.output())?.[1],
      50,
    );
    url = `http://127.0.0.1:${port}`;
  });
  after('stop the mock', async () => {
    const { code } = await mock.stop();
    expect(code).to.equal(0);
  });

  const signIn = async (kind: Kind, email = `${kind}@example.com`) => {
    const body = { email, password: 'any password' };
    const response = await send(url, 'POST', SIGN_IN_PATHS[kind], { headers: FINGERPRINT, body });
    expect(response.status, response.text).to.equal(200);
    const cookie = String(response.headers['set-cookie']).split(';')[0] ?? '';
    return {
      headers: { ...FINGERPRINT, Authorization: `Bearer ${response.body.token}`, Cookie: cookie },
      ...response.body,
    };
  };

  /** A caller that may call the operation. */
  const signInFor = ({ id, scheme, role }: Operation) => {
    const [kind = 'administrator'] = /^(?:customer|employee|administrator)/.exec(scheme ?? id) ?? [];
    return signIn(kind as Kind, role && role !== 'ADMIN' ? `${role.toLowerCase()}@example.com` : undefined);
  };

  it('responds to every operation with its documented success', async () => {
    const operations = await loadOperations();
    for (const operation of operations) {
      const { name, method, template, body } = operation;
      const { headers, session } = await signInFor(operation);
      const response = await send(url, method, template.replace(/\{\w+\}/, ID).replace(/\/$/, ''), {
        headers: { ...headers, 'X-Session-Id': session.id },
        ...(body && { body: exampleOfSchema({}, body.schema) as object }),
        ...(operation.id === 'oidcBackchannelLogout' && FORM),
      });
      const { status, text } = response;
      expect(status, `${name}: ${text}`).to.be.within(200, 204);
      expect(Object.keys(operation.responses), name).to.include(String(status));
      expect(validateBody(operation, status, text ? JSON.parse(text) : undefined), name).to.equal(undefined);
    }
    expect(operations.length).to.be.greaterThan(110);
  });

  it('signs the typed client in, with the documented session', async () => {
    const client = createPlatformClient({ gatewayUrl: url, kind: 'customer' });
    const email = 'grace@example.com';
    const { user, session } = await client.signIn({ email, password: 'any password' });
    expect(user.email).to.equal(email);
    const me = await client.GET('/customers/auth/me');
    expect(me).to.deep.include({ user, session });
    await client.POST('/customers/auth/verification/email/code/check', { body: { code: '123456' } });
    expect(await client.GET('/customers/auth/verification/email/check')).to.deep.equal({ verified: true });
    await client.signOut();
    expect(client.isSignedIn()).to.equal(false);
    await expectFailure(client.GET('/customers/auth/me'), 'TOKEN_INVALID');
    client.close();
  });

  it('returns from a provider without a page, and signs in', async () => {
    const start = '/api/v1/customers/auth/oidc/company';
    const redirectUri = 'http://localhost:5173/signed-in';
    const authorized = await send(url, 'POST', `${start}/authorize`, {
      headers: FINGERPRINT,
      body: { redirectUri },
    });
    const callbackUrl: string = authorized.body.authorizationUrl;
    expect(callbackUrl).to.match(new RegExp(`^${redirectUri}\\?code=`));
    const { body } = await send(url, 'POST', `${start}/sign-in`, {
      headers: FINGERPRINT,
      body: { callbackUrl },
    });
    const me = await send(url, 'GET', '/api/v1/auth/me', {
      headers: { Authorization: `Bearer ${body.token}` },
    });
    expect(me.body.session, me.text).to.deep.equal(body.session);
  });

  it('asks for the second factor if the Prefer header does, and signs in with any', async () => {
    const call = {
      headers: { ...FINGERPRINT, Prefer: 'example=SECOND_FACTOR_REQUIRED' },
      body: { email: 'grace@example.com', password: 'any password' },
    };
    const required = await send(url, 'POST', SIGN_IN_PATHS.customer, call);
    expectError(required, 401, 'SECOND_FACTOR_REQUIRED');
    expect(required.headers['www-authenticate']).to.equal('Bearer');
    expect(required.body.factors).to.deep.equal(['totp', 'recovery-code']);
    const { challenge } = required.body;
    for (const body of [
      { challenge, totpCode: '123456' },
      { challenge, recoveryCode: 'any' },
    ]) {
      const path = `${SIGN_IN_PATHS.customer}/second-factor`;
      const finished = await send(url, 'POST', path, { headers: FINGERPRINT, body });
      const Authorization = `Bearer ${finished.body.token}`;
      const me = await send(url, 'GET', '/api/v1/auth/me', { headers: { Authorization } });
      expect(me.body.session, me.text).to.deep.equal(finished.body.session);
    }
  });

  it('changes the e-mail address, and ends the session when the account is deleted', async () => {
    const { headers } = await signIn('employee');
    const path = '/api/v1/employees/auth';
    const post = (route: string, body: object) => send(url, 'POST', path + route, { headers, body });
    const currentPassword = 'any password';
    await post('/email/change', { newEmail: 'other@example.com', currentPassword });
    const { body, text } = await post('/email/change/check', { code: '123456' });
    expect(body.user, text).to.include({ email: 'other@example.com', isEmailVerified: true });
    const me = await send(url, 'GET', `${path}/me`, { headers });
    expect(me.body.user).to.deep.equal(body.user);
    expect((await post('/account/delete', { currentPassword })).status).to.equal(204);
    expectError(await send(url, 'GET', `${path}/me`, { headers }), 401, 'TOKEN_INVALID');
  });

  it('refreshes the tokens by the cookie and rejects the old ones', async () => {
    const { headers, session, token } = await signIn('employee');
    const { Cookie } = headers;
    const device = { ...FINGERPRINT, Cookie, 'X-Session-Id': session.id };
    const path = '/api/v1/employees/auth/refresh/token';
    const refreshed = await send(url, 'GET', path, { headers: device });
    expect(refreshed.status, refreshed.text).to.equal(200);
    const { iat, exp } = JSON.parse(atob(refreshed.body.token.split('.')[1]));
    expect(exp - iat).to.equal(900);
    expect(refreshed.body.token).not.to.equal(token);
    expectError(await send(url, 'GET', path, { headers: device }), 401, 'TOKEN_INVALID');
    expectError(await send(url, 'GET', '/api/v1/employees/auth/me', { headers }), 401, 'TOKEN_INVALID');
  });

  it('returns what the request sent: the id, the edited fields, the page', async () => {
    const client = createPlatformClient({ gatewayUrl: url, kind: 'administrator' });
    await client.signIn({ email: 'admin@example.com', password: 'any password' });
    const params = { path: { id: ID } };
    const edited = await client.PATCH('/projects/{id}', { params, body: { title: 'Another title' } });
    expect(edited).to.include({ id: ID, title: 'Another title' });
    const page = await client.GET('/users', { params: { query: { page: 3, perPage: 20 } } });
    expect(page).to.include({ page: 3, perPage: 20 });
    expect(page.data).to.have.length(1);
    client.close();
  });

  it('returns the error that the Prefer header names', async () => {
    let prefer = 'code=404';
    const client = createPlatformClient({
      gatewayUrl: url,
      kind: 'administrator',
      fetch: (request) => {
        if (request.method === 'GET') request.headers.set('Prefer', prefer);
        return fetch(request);
      },
    });
    await client.signIn({ email: 'admin@example.com', password: 'any password' });
    const getUser = () => client.GET('/users/{id}', { params: { path: { id: ID } } });
    await expectFailure(getUser(), 'USER_NOT_FOUND');
    prefer = 'code=429';
    expect(await expectFailure(getUser(), 'RATE_LIMITED')).to.include({ retryAfterSeconds: 1 });
    prefer = 'code=403, example=PLATFORM_ROLE_INVALID';
    await expectFailure(getUser(), 'PLATFORM_ROLE_INVALID');
    prefer = 'code=403, example=SECOND_FACTOR_ENROLMENT_REQUIRED';
    await expectFailure(getUser(), 'SECOND_FACTOR_ENROLMENT_REQUIRED');
    prefer = 'code=418';
    const { message } = await expectFailure(getUser(), 'VALIDATION_FAILED');
    expect(message).to.match(/^Prefer: the operation has no status 418; available: 200, 400, 401, 403, 404,/);
    prefer = 'example=NO_SUCH';
    const unknown = await expectFailure(getUser(), 'VALIDATION_FAILED');
    expect(unknown.message).to.match(
      /^Prefer: the operation has no example NO_SUCH; available: .*USER_NOT_FOUND/,
    );
    prefer = 'example=USER_BLOCKED';
    await expectFailure(getUser(), 'USER_BLOCKED');
    client.close();
  });

  it('rejects what the platform rejects', async () => {
    const { headers } = await signIn('administrator', 'operator@example.com');
    expectError(await send(url, 'GET', '/api/v1/users', { headers }), 403, 'WORKSPACE_FORBIDDEN');
    expectError(await send(url, 'GET', '/api/v1/users'), 401, 'TOKEN_INVALID');
    expectError(await send(url, 'GET', '/api/v1/unknown'), 404, 'ROUTE_NOT_FOUND');
    expectError(await send(url, 'DELETE', SIGN_IN_PATHS.customer), 405, 'METHOD_NOT_ALLOWED');
    const body = { email: 'not an address' };
    const invalid = await send(url, 'POST', SIGN_IN_PATHS.customer, { headers: FINGERPRINT, body });
    expectError(invalid, 400, 'VALIDATION_FAILED', '/body/email', '/body/password');
  });

  it('allows frontends on localhost, with credentials and the Prefer header', async () => {
    const preflight = (origin: string) =>
      fetch(`${url}${SIGN_IN_PATHS.customer}`, {
        method: 'OPTIONS',
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'content-type,prefer,x-fingerprint',
        },
      });
    const { status, headers } = await preflight(ORIGIN);
    expect(status).to.equal(204);
    expect(headers.get('Access-Control-Allow-Origin')).to.equal(ORIGIN);
    expect(headers.get('Access-Control-Allow-Credentials')).to.equal('true');
    expect(headers.get('Access-Control-Allow-Headers')).to.equal('content-type,prefer,x-fingerprint');
    const response = await fetch(`${url}/api/v1/users`, { headers: { Origin: ORIGIN } });
    expect(response.status).to.equal(401);
    expect(response.headers.get('Access-Control-Allow-Origin')).to.equal(ORIGIN);
    expect(response.headers.get('Access-Control-Expose-Headers')).to.include('Retry-After');
    const foreign = await preflight('https://localhost.example.com');
    expect(foreign.headers.get('Access-Control-Allow-Origin')).to.equal(null);
  });

  it('names a port in use in one sentence', async () => {
    const other = startMock(new URL(url).port);
    const { code } = await other.waitForExit(30);
    expect(code).to.equal(1);
    expect(other.output().trim()).to.match(
      /^Port \d+ is in use: choose another one, such as MOCK_PORT=0 npm run mock\.$/,
    );
  });
});
