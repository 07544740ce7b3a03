import { CUSTOMER, type Device } from '@platform/shared/testing/auth-client';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { waitFor } from '@platform/shared/testing/poll';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../auth-service.ts';
import { expectCookieCleared } from './refresh-cookie.ts';

const waitForUse = (databaseUrl: string, sessionId: string) =>
  waitFor('the use is recorded', async () => {
    const [row] = await queryDatabase<{ isUsed: boolean }>(
      databaseUrl,
      'select is_used as "isUsed" from token_records where id = (select token_id from sessions where id = $1)',
      [sessionId],
    );
    return row?.isUsed;
  });

describe('refresh token reuse', () => {
  const service = useAuthService({ REFRESH_REUSE_LEEWAY_SECONDS: '10' });
  const client = () => service().client(CUSTOMER);

  /** Moves all of the device's times into the past. */
  const backdate = ({ sessionId }: Device, seconds: number) =>
    queryDatabase(
      service().databaseUrl,
      `update token_records set refreshed_at = refreshed_at - make_interval(secs => $2)
           where id = (select token_id from sessions where id = $1)`,
      [sessionId, seconds],
    );

  /** A request with the access token, and its record, which is written in the background. */
  const use = async (device: Device) => {
    expect((await client().me(device)).status).to.equal(200);
    await waitForUse(service().databaseUrl, device.sessionId);
  };

  it('exchanges the token again after the leeway, while no request has used its successor', async () => {
    const device = await client().createDevice();
    const lost = await client().refreshed(device);
    await backdate(device, 10);
    const again = await client().refreshed(device);
    expectError(await client().refresh(device), 401, 'REFRESH_TOKEN_SUPERSEDED');
    expectError(await client().me(lost), 401, 'TOKEN_INVALID');
    await use(again);
    await client().refreshed(again);
  });

  it('returns REFRESH_TOKEN_REUSED for a successor that was replaced as lost', async () => {
    const device = await client().createDevice();
    const stolen = await client().refreshed(device);
    await backdate(device, 10);
    const again = await client().refreshed(device);
    expectError(await client().refresh(stolen), 401, 'REFRESH_TOKEN_REUSED');
    await client().expectSignedOut(again);
  });

  it('takes the reading of the session with the newest refresh token for a use', async () => {
    const before = await client().createDevice();
    const after = await client().refreshed(before);
    const headers = { Authorization: `Bearer ${after.refreshToken}` };
    expect((await send(service().url, 'GET', `${CUSTOMER.path}/session`, { headers })).status).to.equal(200);
    await waitForUse(service().databaseUrl, after.sessionId);
    await backdate(after, 10);
    expectError(await client().refresh(before), 401, 'REFRESH_TOKEN_REUSED');
  });

  it('returns REFRESH_TOKEN_SUPERSEDED at once after the exchange, and revokes nothing', async () => {
    const before = await client().createDevice();
    const after = await client().refreshed(before);
    for (let round = 0; round < 3; round += 1) {
      const response = await client().refresh(before);
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
    await backdate(after, 9);
    expectError(await client().refresh(before), 401, 'REFRESH_TOKEN_SUPERSEDED');
    await client().refreshed(after);
  });

  it('returns REFRESH_TOKEN_REUSED ten seconds after the exchange, revokes and clears the cookie', async () => {
    const before = await client().createDevice();
    const after = await client().refreshed(before);
    await use(after);
    await backdate(after, 10);
    const response = await client().refresh(before);
    expectError(response, 401, 'REFRESH_TOKEN_REUSED');
    expect(response.headers['www-authenticate']).to.equal('Bearer');
    expectCookieCleared(response, CUSTOMER.refreshCookie);
    await client().expectSignedOut(after);
  });

  it('returns REFRESH_TOKEN_REUSED at once after a second exchange', async () => {
    const first = await client().createDevice();
    const second = await client().refreshed(first);
    const third = await client().refreshed(second);
    const response = await client().refresh(first);
    expectError(response, 401, 'REFRESH_TOKEN_REUSED');
    expectCookieCleared(response, CUSTOMER.refreshCookie);
    await client().expectSignedOut(third);
    expectError(await client().refresh(second), 401, 'TOKEN_INVALID');
  });

  it('keeps the session for the next sign-in of the device', async () => {
    const account = await client().createAccount();
    const first = await client().openDevice(account);
    await client().refreshed(await client().refreshed(first));
    expectError(await client().refresh(first), 401, 'REFRESH_TOKEN_REUSED');
    expectError(await client().refresh(first), 401, 'TOKEN_INVALID');

    const again = await client().openDevice(account, first.fingerprint);
    expect(again.sessionId).to.equal(first.sessionId);
    await client().refreshed(again);
  });

  it("keeps the user's other sessions", async () => {
    const account = await client().createAccount();
    const [stolen, other] = [await client().openDevice(account), await client().openDevice(account)];
    await client().refreshed(await client().refreshed(stolen));
    expectError(await client().refresh(stolen), 401, 'REFRESH_TOKEN_REUSED');
    expect((await client().me(other)).status).to.equal(200);
    await client().refreshed(other);
  });

  it('returns REFRESH_TOKEN_REUSED without the fingerprint and the session id too', async () => {
    const first = await client().createDevice();
    const third = await client().refreshed(await client().refreshed(first));
    const thief = { 'X-Fingerprint': undefined, 'X-Session-Id': undefined };
    expectError(await client().refresh(first, thief), 401, 'REFRESH_TOKEN_REUSED');
    await client().expectSignedOut(third);
  });

  it('treats a token in the Authorization header like one in the cookie', async () => {
    const first = await client().createDevice();
    const second = await client().refreshed(first);
    const header = { Cookie: undefined, Authorization: `Bearer ${first.refreshToken}` };
    expectError(await client().refresh(first, header), 401, 'REFRESH_TOKEN_SUPERSEDED');
    await client().refreshed(second);
    const response = await client().refresh(first, header);
    expectError(response, 401, 'REFRESH_TOKEN_REUSED');
    expectCookieCleared(response, CUSTOMER.refreshCookie);
  });

  it('returns TOKEN_INVALID for a token from before the last sign-in, and revokes nothing', async () => {
    const account = await client().createAccount();
    const first = await client().openDevice(account);
    const second = await client().refreshed(first);
    const third = await client().openDevice(account, first.fingerprint);
    for (const old of [first, second]) {
      const response = await client().refresh(old);
      expectError(response, 401, 'TOKEN_INVALID');
      expect(response.headers).not.to.have.property('set-cookie');
    }
    await client().refreshed(third);
  });
});

describe('refresh token reuse without a leeway', () => {
  const service = useAuthService({ REFRESH_REUSE_LEEWAY_SECONDS: '0' });
  const client = () => service().client(CUSTOMER);

  it('returns REFRESH_TOKEN_REUSED at once', async () => {
    const before = await client().createDevice();
    const after = await client().refreshed(before);
    expect((await client().me(after)).status).to.equal(200);
    await waitForUse(service().databaseUrl, after.sessionId);
    const response = await client().refresh(before);
    expectError(response, 401, 'REFRESH_TOKEN_REUSED');
    expectCookieCleared(response, CUSTOMER.refreshCookie);
    await client().expectSignedOut(after);
  });

  it('leaves one valid pair of two concurrent requests, and takes the other for lost', async () => {
    const device = await client().createDevice();
    const lock = await holdLock(
      service().databaseUrl,
      'select 1 from token_records join sessions on token_id = token_records.id where sessions.id = $1 for update',
      [device.sessionId],
    );
    // Both have passed the security handler while the token is current.
    const both = [client().refresh(device), client().refresh(device)];
    await lock.releaseWhenWaiting(2);
    const pairs = (await Promise.all(both)).map((response) => client().afterRefresh(device, response));
    const statuses = await Promise.all(pairs.map(async (pair) => (await client().me(pair)).status));
    expect(statuses.sort()).to.deep.equal([200, 401]);
  });
});
