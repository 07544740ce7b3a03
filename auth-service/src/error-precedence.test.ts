import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { expectError, expectNoTrailingSlashes, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../testing/auth-service.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

const brokenBodies: [string, Record<string, string>, string][] = [
  ['malformed JSON', JSON_TYPE, '{"email"'],
  ['a body of another type', { 'Content-Type': 'text/plain' }, 'hello'],
  ['a body that is too large', JSON_TYPE, JSON.stringify('x'.repeat(102_400))],
];

describe('error precedence', () => {
  const service = useAuthService();
  const client = () => service().as('customer');

  it('returns 404 for an unknown path before any other error', async () => {
    for (const path of ['/sign', '/me/x', '/Me', '/refresh', ''])
      for (const [, headers, body] of brokenBodies)
        for (const method of ['GET', 'POST'] as const) {
          const response = await send(service().url, method, CUSTOMER.path + path, { headers, body });
          expectError(response, 404, 'ROUTE_NOT_FOUND');
        }
  });

  it('returns token errors before validation errors', async () => {
    const device = await client().createDevice();
    const malformed = { fingerprint: undefined, sessionId: 'mine' };
    const invalidTokens = { ...device, accessToken: 'garbage', refreshToken: 'garbage' };
    for (const call of [client().me, client().signOut, client().refreshToken])
      expectError(await call({ ...invalidTokens, ...malformed }), 401, 'TOKEN_INVALID');
    for (const [, headers, body] of brokenBodies)
      for (const route of ['/me', '/sign-out', '/refresh/token']) {
        const response = await send(service().url, 'GET', CUSTOMER.path + route, { headers, body });
        expectError(response, 401, 'TOKEN_INVALID');
      }
  });

  it('returns the error of a revoked refresh token before every validation error', async () => {
    const device = await client().createDevice();
    await client().signOut(device);
    const { fingerprint, sessionId } = device;
    const valid = { Cookie: `${CUSTOMER.refreshCookie}=${device.refreshToken}` };
    const complete = { ...valid, 'X-Fingerprint': fingerprint, 'X-Session-Id': sessionId };
    const expectInvalid = async (method: 'GET' | 'POST', path: string, call: Parameters<typeof send>[3]) =>
      expectError(await send(service().url, method, CUSTOMER.path + path, call), 401, 'TOKEN_INVALID');
    for (const headers of [
      { ...complete, 'X-Fingerprint': 'x'.repeat(257) },
      { ...complete, 'X-Session-Id': 'mine' },
      { ...complete, 'X-Session-Id': `${sessionId}0` },
      valid,
    ])
      await expectInvalid('GET', '/refresh/token', { headers });
    await expectInvalid('GET', '/refresh/token?x=%zz', { headers: complete });
    for (const [, type, body] of brokenBodies) {
      await expectInvalid('GET', '/refresh/token', { headers: { ...complete, ...type }, body });
      await expectInvalid('POST', '/reset-password/me', { headers: { ...valid, ...type }, body });
    }
  });

  it('returns validation errors before session errors', async () => {
    const device = await client().createDevice();
    const wrong = { fingerprint: undefined, sessionId: '11111111-1111-4111-8111-111111111111' };
    for (const call of [client().me, client().signOut, client().refreshToken])
      expectError(await call({ ...device, ...wrong }), 400, 'VALIDATION_FAILED', '/headers/x-fingerprint');
  });

  it('returns validation errors before EMAIL_TAKEN', async () => {
    const { email, password } = await client().createAccount();
    const response = await client().signUp({ body: { email, password, phone: '' } });
    expectError(response, 400, 'VALIDATION_FAILED', '/body/phone');
    const noDevice = await client().signIn({ body: { email, password: 'wrong' } });
    expectError(noDevice, 400, 'VALIDATION_FAILED', '/headers/x-fingerprint');
  });

  it('matches paths decoded, in full and by letter case', async () => {
    for (const path of [
      '/api/v1/Customers/auth/me',
      '/API/v1/auth/me',
      '/api/v1',
      '/api/v1/',
      '/api/v2/auth/me',
      '/',
    ])
      expectError(await send(service().url, 'GET', path), 404, 'ROUTE_NOT_FOUND');
    for (const path of ['/api/v1/%zz', '/api/v1/customers/auth/%E0%A4%A/me'])
      expectError(await send(service().url, 'GET', path), 404, 'ROUTE_NOT_FOUND');
  });
});

describe('trailing slash at auth-service', () => {
  const service = useAuthService();

  it('returns 404 for every operation and every method', () =>
    expectNoTrailingSlashes(service().url, new URL(import.meta.resolve('@platform/openapi/auth.yaml'))));

  it('does not end the other sessions when the session id is empty', async () => {
    const client = service().as('customer');
    const account = await service().as('customer').createAccount();
    const [mine, other] = [await client.openDevice(account), await client.openDevice(account)];
    const headers = { Authorization: `Bearer ${mine.accessToken}` };
    const response = await send(service().url, 'DELETE', `${CUSTOMER.path}/sessions/`, { headers });
    expectError(response, 404, 'ROUTE_NOT_FOUND');
    expect((await client.me(other)).status).to.equal(200);
  });

  it('returns 405 for TRACE with the Allow of its path, and 404 on an unknown path', async () => {
    const known = await send(service().url, 'TRACE', `${CUSTOMER.path}/sessions`);
    expectError(known, 405, 'METHOD_NOT_ALLOWED');
    expect(known.headers['allow']?.split(', ')).to.have.members(['GET', 'DELETE']);
    expectError(await send(service().url, 'TRACE', '/api/v1/nowhere'), 404, 'ROUTE_NOT_FOUND');
  });
});
