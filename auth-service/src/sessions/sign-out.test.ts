import { ACCOUNT_KINDS } from '@platform/shared/testing/auth-client';
import { countSessions } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { describeEachKind, useAuthService } from '../../testing/auth-service.ts';
import { expectCookieCleared } from '../../testing/refresh-cookie.ts';

describe('sign-out', () => {
  const service = useAuthService();

  describeEachKind(ACCOUNT_KINDS, service, (client, kind) => {
    it('returns 204 without a body and clears the cookie with the attributes it was set with', async () => {
      const response = await client().signOut(await client().createDevice());
      expect(response.status).to.equal(204);
      expect(response.text).to.equal('');
      expectCookieCleared(response, kind.refreshCookie);
    });
  });

  const client = () => service().as('customer');

  it('revokes both tokens at once', async () => {
    const device = await client().createDevice();
    await client().signOut(device);
    expectError(await client().me(device), 401, 'TOKEN_INVALID');
    expectError(await client().signOut(device), 401, 'TOKEN_INVALID');
    const response = await client().refreshToken(device);
    expectError(response, 401, 'TOKEN_INVALID');
    expect(response.headers).not.to.have.property('set-cookie');
  });

  it('invalidates earlier refresh tokens too, without reuse detection', async () => {
    const first = await client().createDevice();
    const second = await client().refreshed(first);
    await client().signOut(second);
    for (const device of [first, second])
      expectError(await client().refreshToken(device), 401, 'TOKEN_INVALID');
  });

  it('removes the token record and keeps the session', async () => {
    const account = await client().createAccount();
    await client().signOut(await client().openDevice(account));
    expect(await countSessions(service().databaseUrl, account.userId)).to.deep.equal({
      sessions: 1,
      tokenRecords: 0,
    });
  });

  it('works without X-Session-Id', async () => {
    const device = await client().createDevice();
    expect((await client().signOut({ ...device, sessionId: undefined })).status).to.equal(204);
  });

  it('revokes nothing for another fingerprint or session', async () => {
    const device = await client().createDevice();
    const elsewhere = [
      { 'X-Fingerprint': 'unknown' },
      { 'X-Session-Id': '11111111-1111-4111-8111-111111111111' },
    ];
    for (const headers of elsewhere) {
      const response = await client().signOut({ ...device, headers });
      expectError(response, 401, 'SESSION_NOT_FOUND');
      expect(response.headers).not.to.have.property('set-cookie');
    }
    await client().refreshed(device);
  });

  it('revokes nothing for an invalid request', async () => {
    const device = await client().createDevice();
    const withoutDevice = await client().signOut({ ...device, fingerprint: undefined });
    expectError(withoutDevice, 400, 'VALIDATION_FAILED', '/headers/x-fingerprint');
    const malformed = await client().signOut({ ...device, sessionId: 'mine' });
    expectError(malformed, 400, 'VALIDATION_FAILED', '/headers/x-session-id');
    expect((await client().me(device)).status).to.equal(200);
  });

  it('succeeds for one or both of two concurrent requests', async () => {
    const device = await client().createDevice();
    const responses = await Promise.all([client().signOut(device), client().signOut(device)]);
    expect(responses.map(({ status }) => status)).to.include(204);
    for (const { status } of responses) expect(status).to.be.oneOf([204, 401]);
    expectError(await client().me(device), 401, 'TOKEN_INVALID');
  });
});
