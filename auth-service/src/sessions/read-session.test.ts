import { CUSTOMER } from '@platform/shared/testing/auth-client';
import type { Device } from '@platform/shared/testing/device';
import { backdateRefresh, queryDatabase } from '@platform/shared/testing/query-database';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

describe('reading the session by a refresh token', () => {
  const service = useAuthService({ REFRESH_REUSE_LEEWAY_SECONDS: '10' });
  const client = () => service().as('customer');
  const open = () => client().createAccountAndDevice();
  const read = ({ refreshToken }: Pick<Device, 'refreshToken'>, options: { body?: string } = {}) =>
    send(service().url, 'GET', `${CUSTOMER.path}/session`, {
      headers: { Cookie: `${CUSTOMER.refreshCookie}=${refreshToken}` },
      ...options,
    });

  it('returns user and session without a fingerprint, and changes nothing', async () => {
    const { account, device } = await open();
    for (const _round of [1, 2]) {
      const response = await read(device);
      expect(response.status, response.text).to.equal(200);
      expect(response.body.user).to.include({ id: account.userId, email: account.email });
      expect(response.body.session).to.include({ id: device.sessionId, userId: account.userId });
      expect(Object.keys(response.body)).to.have.members(['user', 'session']);
      expect(response.headers)
        .to.include({ 'cache-control': 'no-store' })
        .and.not.have.property('set-cookie');
    }
    await client().refreshed(device);
  });

  it('accepts the token in the Authorization header', async () => {
    const { device } = await open();
    const headers = { Authorization: `Bearer ${device.refreshToken}` };
    expect((await send(service().url, 'GET', `${CUSTOMER.path}/session`, { headers })).status).to.equal(200);
  });

  it('accepts a token that was exchanged within the leeway, and revokes nothing for an older one', async () => {
    const { device } = await open();
    const next = await client().refreshed(device);
    expect((await read(device)).status).to.equal(200);
    await backdateRefresh(service().databaseUrl, device.sessionId, 10);
    for (const options of [{}, { body: '{' }]) {
      const response = await read(device, options);
      expectError(response, 401, 'TOKEN_INVALID');
      expect(response.headers).not.to.have.property('set-cookie');
    }
    await client().refreshed(next);
  });

  it('returns TOKEN_INVALID for another kind of token, and after the sign-out', async () => {
    const { device } = await open();
    expectError(await read({ refreshToken: device.accessToken }), 401, 'TOKEN_INVALID');
    await client().signOut(device);
    expectError(await read(device), 401, 'TOKEN_INVALID');
  });

  it('returns USER_BLOCKED to a blocked user', async () => {
    const { account, device } = await open();
    await queryDatabase(service().databaseUrl, 'update users set is_blocked = true where id = $1', [
      account.userId,
    ]);
    expectError(await read(device), 401, 'USER_BLOCKED');
  });
});
