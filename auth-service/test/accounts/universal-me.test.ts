import { ACCOUNT_KINDS } from '@platform/shared/testing/auth-client';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../auth-service.ts';

describe('universal me', () => {
  const service = useAuthService();

  for (const kind of ACCOUNT_KINDS)
    describe(`of ${kind.plural}`, () => {
      const client = () => service().client(kind);

      it('detects the kind from the token', async () => {
        const account = await client().createAccount({ phone: '112' });
        const device = await client().openDevice(account);
        const { status, body, headers } = await client().universalMe(device);

        expect(status).to.equal(200);
        expect(headers['cache-control']).to.equal('no-store');
        expect(body).to.have.all.keys('kind', 'user', 'profile', 'roles', 'session');
        expect(body).to.deep.include({ kind: kind.kind, roles: [kind.role] });
        const own = (await client().me(device)).body;
        expect({ user: body.user, profile: body.profile, session: body.session }).to.deep.equal(own);
      });

      it('accepts the token of a refresh and rejects the previous one', async () => {
        const before = await client().openDevice(await client().createAccount());
        const after = await client().refreshed(before);
        expect((await client().universalMe(after)).status).to.equal(200);
        expectError(await client().universalMe(before), 401, 'TOKEN_INVALID');
      });

      it('returns 401 after a sign-out', async () => {
        const device = await client().openDevice(await client().createAccount());
        await client().signOut(device);
        expectError(await client().universalMe(device), 401, 'TOKEN_INVALID');
      });

      it('rejects a refresh token, in the header and in the cookie', async () => {
        const device = await client().openDevice(await client().createAccount());
        expectError(await client().universalMe({ accessToken: device.refreshToken }), 401, 'TOKEN_INVALID');
        const headers = client().refreshHeaders(device);
        expectError(await send(service().url, 'GET', '/api/v1/auth/me', { headers }), 401, 'TOKEN_INVALID');
      });
    });

  it('returns 401 without a token', async () => {
    const response = await send(service().url, 'GET', '/api/v1/auth/me');
    expectError(response, 401, 'TOKEN_INVALID');
    expect(response.headers['www-authenticate']).to.equal('Bearer');
  });
});
