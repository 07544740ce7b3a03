import { ACCOUNT_KINDS, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { countSessions, withFailing } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { describeEachKind, useAuthService } from '../../testing/auth-service.ts';
import { expectCookieSet } from '../../testing/refresh-cookie.ts';
import { decodeToken, SHORT_LIFETIMES } from '../../testing/tokens.ts';

describe('refresh', () => {
  const service = useAuthService(SHORT_LIFETIMES);

  describeEachKind(ACCOUNT_KINDS, service, (client, kind) => {
    it('returns only a new access token and sets a new refresh cookie', async () => {
      const device = await client().createDevice();
      const response = await client().refreshToken(device);

      expect(response.status).to.equal(200);
      expect(response.headers['cache-control']).to.equal('no-store');
      expect(response.body).to.have.all.keys('token');
      expectCookieSet(response, kind.refreshCookie, 1_200);
      const next = client().afterRefresh(device, response);
      expect(next.accessToken).not.to.equal(device.accessToken);
      expect(next.refreshToken).not.to.equal(device.refreshToken);
    });
  });

  const client = () => service().as('customer');

  it('replaces both tokens in the same session', async () => {
    const before = await client().createDevice();
    const after = await client().refreshed(before);

    expectError(await client().me(before), 401, 'TOKEN_INVALID');
    const { status, body } = await client().me(after);
    expect(status).to.equal(200);
    expect(body.session.id).to.equal(before.sessionId);
    await client().refreshed(after);
  });

  it('works repeatedly, with one session and one token record', async () => {
    const account = await client().createAccount();
    let device = await client().openDevice(account);
    const ids = new Set<string | undefined>();
    for (let round = 0; round < 5; round += 1) {
      device = await client().refreshed(device);
      ids.add(decodeToken(device.accessToken).jti).add(decodeToken(device.refreshToken).jti);
    }
    expect(ids.size).to.equal(10);
    expect((await client().me(device)).status).to.equal(200);
    expect(await countSessions(service().databaseUrl, account.userId)).to.deep.equal({
      sessions: 1,
      tokenRecords: 1,
    });
  });

  it('issues tokens of the full lifetime with the same claims', async () => {
    const before = await client().createDevice();
    const after = await client().refreshed(before);
    const getComparable = (token: string) => {
      const { iat = 0, exp = 0, jti: _jti, ...payload } = decodeToken(token);
      return { ...payload, lifetimeSeconds: exp - iat };
    };
    expect(getComparable(after.accessToken)).to.deep.equal(getComparable(before.accessToken));
    expect(getComparable(after.refreshToken)).to.deep.equal(getComparable(before.refreshToken));
  });

  it('reads the token from the Authorization header when there is no cookie', async () => {
    const device = await client().createDevice();
    const headers = { Cookie: undefined, Authorization: `Bearer ${device.refreshToken}` };
    const next = client().afterRefresh(device, await client().refreshToken({ ...device, headers }));
    expect((await client().me(next)).status).to.equal(200);
  });

  it('prefers the cookie to the Authorization header', async () => {
    const [device, other] = [await client().createDevice(), await client().createDevice()];
    const strange = { Authorization: `Bearer ${other.refreshToken}` };
    const next = client().afterRefresh(device, await client().refreshToken({ ...device, headers: strange }));
    expect((await client().me(next)).status).to.equal(200);

    const headers = {
      Cookie: `${CUSTOMER.refreshCookie}=broken`,
      Authorization: `Bearer ${next.refreshToken}`,
    };
    expectError(await client().refreshToken({ ...next, headers }), 401, 'TOKEN_INVALID');
  });

  it('ignores the cookies of other kinds', async () => {
    const device = await client().createDevice();
    const foreign = `${EMPLOYEE.refreshCookie}=${device.refreshToken}`;
    expectError(
      await client().refreshToken({ ...device, headers: { Cookie: foreign } }),
      401,
      'TOKEN_INVALID',
    );
    const own = `${CUSTOMER.refreshCookie}=${device.refreshToken}`;
    const response = await client().refreshToken({
      ...device,
      headers: { Cookie: `a=b; ${foreign}; ${own}; c=d` },
    });
    expect(response.status).to.equal(200);
  });

  it('returns 401 without a token', async () => {
    const device = await client().createDevice();
    const response = await client().refreshToken({ ...device, headers: { Cookie: undefined } });
    expectError(response, 401, 'TOKEN_INVALID');
    expect(response.headers['www-authenticate']).to.equal('Bearer');
    expect(response.headers).not.to.have.property('set-cookie');
  });

  it('returns SESSION_NOT_FOUND for another fingerprint or session id, and revokes nothing', async () => {
    const account = await client().createAccount();
    const [device, other] = [await client().openDevice(account), await client().openDevice(account)];
    const elsewhere = [
      { 'X-Fingerprint': 'unknown' },
      { 'X-Fingerprint': other.fingerprint },
      { 'X-Session-Id': other.sessionId },
      { 'X-Session-Id': '11111111-1111-4111-8111-111111111111' },
      { 'X-Fingerprint': other.fingerprint, 'X-Session-Id': other.sessionId },
    ];
    for (const headers of elsewhere) {
      const response = await client().refreshToken({ ...device, headers });
      expectError(response, 401, 'SESSION_NOT_FOUND');
      expect(response.headers).not.to.have.property('set-cookie');
    }
    await client().refreshed(device);
  });

  it('returns 400 without X-Session-Id or X-Fingerprint, and keeps the token valid', async () => {
    const device = await client().createDevice();
    for (const sessionId of [undefined, 'mine', ''])
      expectError(
        await client().refreshToken({ ...device, sessionId }),
        ...([400, 'VALIDATION_FAILED', '/headers/x-session-id'] as const),
      );
    for (const fingerprint of [undefined, ''])
      expectError(
        await client().refreshToken({ ...device, fingerprint }),
        ...([400, 'VALIDATION_FAILED', '/headers/x-fingerprint'] as const),
      );
    await client().refreshed(device);
  });

  it('is counted by outcome', async () => {
    const { metric, records } = service();
    const outcomes = ['rotated', 'superseded', 'reused', 'invalid', 'blocked', 'error'];
    const count = () =>
      Promise.all(outcomes.map((outcome) => metric('token_refreshes_total', { kind: 'customer', outcome })));
    const device = await client().createDevice();
    const other = await client().createAccountAndDevice();
    const before = await count();
    const second = await client().refreshed(device);
    await client().refreshToken(device);
    await client().refreshed(second);
    await client().refreshToken(device);
    await client().refreshToken({ ...device, refreshToken: 'garbage' });
    expectError(
      await client().refreshToken({ ...other.device, sessionId: device.sessionId }),
      401,
      'SESSION_NOT_FOUND',
    );
    // Neither is a refresh.
    await client().refreshToken({ ...other.device, fingerprint: undefined });
    await client().readSession({ ...device, refreshToken: 'garbage' });
    await withFailing(service().databaseUrl, 'update', 'token_records', async () => {
      expect((await client().refreshToken(other.device)).status).to.equal(500);
    });
    await records.block(other.account.userId);
    await client().refreshToken(other.device);
    const after = await count();
    expect(after.map((value, index) => value - (before[index] ?? 0))).to.deep.equal([2, 1, 1, 2, 1, 1]);
  });
});
