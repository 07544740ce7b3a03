import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { parseSetCookies } from '@platform/shared/testing/http-client';
import { countSessions, queryDatabase } from '@platform/shared/testing/query-database';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import jsonwebtoken, { type JwtPayload } from 'jsonwebtoken';
import { type RunningAuthService, useAuthService } from '../../testing/auth-service.ts';

/** Moves the sign-in of the device into the past. */
const age = (service: RunningAuthService, { sessionId }: Device, seconds: number) =>
  queryDatabase(
    service.databaseUrl,
    `update token_records set created_at = created_at - make_interval(secs => $2),
       access_token_expired_at = access_token_expired_at - make_interval(secs => $2),
       refresh_token_expired_at = refresh_token_expired_at - make_interval(secs => $2)
     where id = (select token_id from sessions where id = $1)`,
    [sessionId, seconds],
  );

/** The lifetime of each token of the device in seconds. */
const lifetimesOf = ({ accessToken, refreshToken }: Device): number[] =>
  [accessToken, refreshToken].map((token) => {
    const { iat = 0, exp = 0 } = jsonwebtoken.decode(token) as JwtPayload;
    return exp - iat;
  });

describe('SESSION_MAX_AGE', () => {
  const service = useAuthService({ SESSION_MAX_AGE: '3000' });
  const client = () => service().as('customer');

  it('returns 401 on every route for the access token of an older session', async () => {
    const { device } = await client().createAccountAndDevice();
    await age(service(), device, 3_001);
    expectError(await client().me(device), 401, 'TOKEN_INVALID');
    expectError(await client().universalMe(device), 401, 'TOKEN_INVALID');
    expectError(await client().signOut(device), 401, 'TOKEN_INVALID');
  });

  it('does not refresh an older session and removes its tokens', async () => {
    const { account, device } = await client().createAccountAndDevice();
    await age(service(), device, 3_001);
    const response = await client().refreshToken(device);
    expectError(response, 401, 'TOKEN_INVALID');
    expect(parseSetCookies(response)).to.deep.equal([]);
    expect(await countSessions(service().databaseUrl, account.userId)).to.deep.equal({
      sessions: 1,
      tokenRecords: 0,
    });
  });

  it('limits the lifetime of tokens to the end of the session', async () => {
    const { device } = await client().createAccountAndDevice();
    const [full] = lifetimesOf(device);
    expect(lifetimesOf(device)).to.deep.equal([full, full]);
    expect(full).to.be.within(2_900, 3_000);
    await age(service(), device, 2_000);
    for (const seconds of lifetimesOf(await client().refreshed(device)))
      expect(seconds).to.be.within(900, 1_000);
  });

  it('counts from the sign-in, even if the session was refreshed often', async () => {
    const { device } = await client().createAccountAndDevice();
    await age(service(), device, 1_500);
    const later = await client().refreshed(device);
    await age(service(), later, 1_400);
    const latest = await client().refreshed(later);
    await age(service(), latest, 101);
    expectError(await client().me(latest), 401, 'TOKEN_INVALID');
    expectError(await client().refreshToken(latest), 401, 'TOKEN_INVALID');
  });

  it('returns 401 for a password change with an older session', async () => {
    const { account, device } = await client().createAccountAndDevice();
    await age(service(), device, 3_001);
    const response = await send(service().url, 'POST', `${CUSTOMER.path}/reset-password/me`, {
      headers: { Cookie: `${CUSTOMER.refreshCookie}=${device.refreshToken}` },
      body: { currentPassword: PASSWORD, newPassword: 'A better horse 2' },
    });
    expectError(response, 401, 'TOKEN_INVALID');
    await client().openDevice(account);
  });

  it('restarts the same session at the next sign-in', async () => {
    const { account, device } = await client().createAccountAndDevice();
    await age(service(), device, 3_001);
    const again = await client().openDevice(account, device.fingerprint);
    expect(again.sessionId).to.equal(device.sessionId);
    expect((await client().me(again)).status).to.equal(200);
    await client().refreshed(again);
  });

  it('does not list an older session of the user', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const old = await client().openDevice(account);
    await age(service(), old, 3_001);
    const response = await send(service().url, 'GET', `${CUSTOMER.path}/sessions`, {
      headers: { Authorization: `Bearer ${device.accessToken}` },
    });
    expect(response.body.data.map(({ id }: { id: string }) => id)).to.deep.equal([device.sessionId]);
  });
});

describe('sessions without SESSION_MAX_AGE', () => {
  const service = useAuthService();

  it('live for years when refreshed', async () => {
    const client = service().as('customer');
    const device = await client.createDevice();
    await age(service(), device, 10 * 365 * 24 * 3_600);
    expect((await client.me(device)).status).to.equal(200);
    await client.refreshed(device);
  });
});
