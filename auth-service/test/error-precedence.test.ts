import { ACCOUNT_KINDS, accessHeaders } from '@platform/shared/testing/auth-client';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from './auth-service.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Each would be refused by itself. */
const brokenBodies: [string, Record<string, string>, string][] = [
  ['malformed JSON', JSON_TYPE, '{"email"'],
  ['a body of another type', { 'Content-Type': 'text/plain' }, 'hello'],
  ['a body that is too large', JSON_TYPE, JSON.stringify('x'.repeat(102_400))],
];

describe('The order of judgement', () => {
  const service = useAuthService();

  for (const kind of ACCOUNT_KINDS)
    describe(`for ${kind.plural}`, () => {
      const client = () => service().client(kind);
      const routes: [string, string][] = [
        ['/sign-up', 'POST'],
        ['/sign-in', 'POST'],
        ['/me', 'GET'],
        ['/sign-out', 'GET'],
        ['/refresh/token', 'GET'],
      ];
      const signedIn = async () => client().openDevice(await client().createAccount());

      for (const [route, allowed] of routes)
        it(`${route} answers ${allowed} alone: any other method is 405 and names it`, async () => {
          for (const method of METHODS.filter((other) => other !== allowed)) {
            const answer = await send(service().url, method, kind.path + route);
            expect(answer.status, method).to.equal(405);
            if (method !== 'HEAD') expectError(answer, 405, 'METHOD_NOT_ALLOWED');
            expect(answer.headers['allow']).to.equal(allowed);
          }
        });

      it('the route comes before everything: an unknown path is 404 with whatever else is wrong', async () => {
        for (const path of ['/sign', '/me/x', '/Me', '/refresh', ''])
          for (const [, headers, body] of brokenBodies)
            for (const method of ['GET', 'POST'] as const) {
              const answer = await send(service().url, method, kind.path + path, { headers, body });
              expectError(answer, 404, 'ROUTE_NOT_FOUND');
            }
      });

      it('HEAD signs nobody out and refreshes nothing', async () => {
        const device = await signedIn();
        for (const [route, headers] of [
          ['/sign-out', accessHeaders(device)],
          ['/refresh/token', client().refreshHeaders(device)],
        ] as const) {
          const answer = await send(service().url, 'HEAD', kind.path + route, { headers });
          expect(answer.status).to.equal(405);
          expect(answer.headers).not.to.have.property('set-cookie');
        }
        expect((await client().me(device)).status).to.equal(200);
      });

      it('the token comes before the contract: neither headers nor body are judged without a valid one', async () => {
        const device = await signedIn();
        const malformed = { 'X-Fingerprint': undefined, 'X-Session-Id': 'mine' };
        const strangers = { ...device, accessToken: 'garbage', refreshToken: 'garbage' };
        for (const call of [client().me, client().signOut, client().refresh])
          expectError(await call(strangers, malformed), 401, 'TOKEN_INVALID');
        for (const [, headers, body] of brokenBodies)
          for (const route of ['/me', '/sign-out', '/refresh/token']) {
            const answer = await send(service().url, 'GET', kind.path + route, { headers, body });
            expectError(answer, 401, 'TOKEN_INVALID');
          }
      });

      it('the contract comes before the session: a request without a fingerprint is 400 for any session', async () => {
        const device = await signedIn();
        const wrong = {
          'X-Fingerprint': undefined,
          'X-Session-Id': '11111111-1111-4111-8111-111111111111',
        };
        for (const call of [client().me, client().signOut, client().refresh])
          expectError(await call(device, wrong), 400, 'VALIDATION_FAILED', '/headers/x-fingerprint');
      });

      it('the contract comes before the account: nobody learns of an e-mail from a malformed sign-up', async () => {
        const { email, password } = await client().createAccount();
        const answer = await client().signUp({ email, password, phone: '' });
        expectError(answer, 400, 'VALIDATION_FAILED', '/body/phone');
        const noDevice = await client().signIn({ email, password: 'wrong' }, undefined);
        expectError(noDevice, 400, 'VALIDATION_FAILED', '/headers/x-fingerprint');
      });
    });

  it('a path is matched in its letter case, whole and decoded', async () => {
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
      expectError(await send(service().url, 'GET', path), 400, 'VALIDATION_FAILED');
  });
});
