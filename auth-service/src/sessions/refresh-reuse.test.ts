import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { backdateRefresh } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { expectCookieCleared } from '../../testing/refresh-cookie.ts';

describe('refresh token reuse', () => {
  const service = useAuthService({ REFRESH_REUSE_LEEWAY_SECONDS: '10' });

  const client = () => service().as('customer');

  it('returns REFRESH_TOKEN_SUPERSEDED at once after the exchange, and revokes nothing', async () => {
    const before = await client().createDevice();
    const after = await client().refreshed(before);
    for (let round = 0; round < 3; round += 1) {
      const response = await client().refreshToken(before);
      expectError(response, 401, 'REFRESH_TOKEN_SUPERSEDED');
      expect(response.headers['www-authenticate']).to.equal('Bearer');
      expect(response.headers).not.to.have.property('set-cookie');
    }
    expect((await client().me(after)).status).to.equal(200);
    await client().refreshed(after);
  });

  it('returns REFRESH_TOKEN_SUPERSEDED nine seconds after the exchange', async () => {
    const before = await client().createDevice();
    const after = await client().refreshed(before);
    await backdateRefresh(service().databaseUrl, after.sessionId, 9);
    expectError(await client().refreshToken(before), 401, 'REFRESH_TOKEN_SUPERSEDED');
    await client().refreshed(after);
  });

  it('returns REFRESH_TOKEN_REUSED ten seconds after the exchange, revokes and clears the cookie', async () => {
    const before = await client().createDevice();
    const after = await client().refreshed(before);
    await backdateRefresh(service().databaseUrl, after.sessionId, 10);
    const response = await client().refreshToken(before);
    expectError(response, 401, 'REFRESH_TOKEN_REUSED');
    expect(response.headers['www-authenticate']).to.equal('Bearer');
    expectCookieCleared(response, CUSTOMER.refreshCookie);
    await client().expectSignedOut(after);
  });

  it('returns REFRESH_TOKEN_REUSED at once after a second exchange', async () => {
    const first = await client().createDevice();
    const second = await client().refreshed(first);
    const third = await client().refreshed(second);
    const response = await client().refreshToken(first);
    expectError(response, 401, 'REFRESH_TOKEN_REUSED');
    expectCookieCleared(response, CUSTOMER.refreshCookie);
    await client().expectSignedOut(third);
    expectError(await client().refreshToken(second), 401, 'TOKEN_INVALID');
  });

  it('keeps the session for the next sign-in of the device', async () => {
    const account = await client().createAccount();
    const first = await client().openDevice(account);
    await client().refreshed(await client().refreshed(first));
    expectError(await client().refreshToken(first), 401, 'REFRESH_TOKEN_REUSED');
    expectError(await client().refreshToken(first), 401, 'TOKEN_INVALID');

    const again = await client().openDevice(account, first.fingerprint);
    expect(again.sessionId).to.equal(first.sessionId);
    await client().refreshed(again);
  });

  it("keeps the user's other sessions", async () => {
    const account = await client().createAccount();
    const [stolen, other] = [await client().openDevice(account), await client().openDevice(account)];
    await client().refreshed(await client().refreshed(stolen));
    expectError(await client().refreshToken(stolen), 401, 'REFRESH_TOKEN_REUSED');
    expect((await client().me(other)).status).to.equal(200);
    await client().refreshed(other);
  });

  it('returns REFRESH_TOKEN_REUSED without the fingerprint and the session id too', async () => {
    const first = await client().createDevice();
    const third = await client().refreshed(await client().refreshed(first));
    const thief = { 'X-Fingerprint': undefined, 'X-Session-Id': undefined };
    expectError(await client().refreshToken({ ...first, headers: thief }), 401, 'REFRESH_TOKEN_REUSED');
    await client().expectSignedOut(third);
  });

  it('treats a token in the Authorization header like one in the cookie', async () => {
    const first = await client().createDevice();
    const second = await client().refreshed(first);
    const header = { Cookie: undefined, Authorization: `Bearer ${first.refreshToken}` };
    expectError(await client().refreshToken({ ...first, headers: header }), 401, 'REFRESH_TOKEN_SUPERSEDED');
    await client().refreshed(second);
    const response = await client().refreshToken({ ...first, headers: header });
    expectError(response, 401, 'REFRESH_TOKEN_REUSED');
    expectCookieCleared(response, CUSTOMER.refreshCookie);
  });

  it('returns TOKEN_INVALID for a token from before the last sign-in, and revokes nothing', async () => {
    const account = await client().createAccount();
    const first = await client().openDevice(account);
    const second = await client().refreshed(first);
    const third = await client().openDevice(account, first.fingerprint);
    for (const old of [first, second]) {
      const response = await client().refreshToken(old);
      expectError(response, 401, 'TOKEN_INVALID');
      expect(response.headers).not.to.have.property('set-cookie');
    }
    await client().refreshed(third);
  });
});

describe('refresh token reuse without a leeway', () => {
  const service = useAuthService({ REFRESH_REUSE_LEEWAY_SECONDS: '0' });

  const client = () => service().as('customer');

  it('returns REFRESH_TOKEN_REUSED at once', async () => {
    const before = await client().createDevice();
    const after = await client().refreshed(before);
    const response = await client().refreshToken(before);
    expectError(response, 401, 'REFRESH_TOKEN_REUSED');
    expectCookieCleared(response, CUSTOMER.refreshCookie);
    await client().expectSignedOut(after);
  });

  it('revokes the session when two requests present one token at once', async () => {
    const device = await client().createDevice();
    const lock = await holdLock(
      service().databaseUrl,
      'select 1 from token_records join sessions on token_id = token_records.id where sessions.id = $1 for update',
      [device.sessionId],
    );
    // Both rotations have found the token current, and wait for the lock on its record.
    const both = [client().refreshToken(device), client().refreshToken(device)];
    await lock.releaseWhenWaiting(2);
    const [winner, loser] = (await Promise.all(both)).sort((one, other) => one.status - other.status);
    if (!winner || !loser) throw new Error('Two responses were expected');
    expectError(loser, 401, 'REFRESH_TOKEN_REUSED');
    await client().expectSignedOut(client().afterRefresh(device, winner));
  });
});
