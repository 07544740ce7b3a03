import { ACCOUNT_KINDS } from '@platform/shared/testing/auth-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../auth-service.ts';

describe('me', () => {
  const service = useAuthService();

  for (const kind of ACCOUNT_KINDS)
    describe(`of ${kind.plural}`, () => {
      const client = () => service().client(kind);
      const createDevice = async () => client().openDevice(await client().createAccount());

      it('returns the user, the profile and the session of the sign-in', async () => {
        const account = await client().createAccount({ lastName: 'Hopper' });
        const signIn = await client().signIn(
          { email: account.email, password: account.password },
          'the device',
        );
        const { status, body, headers } = await client().me(client().toDevice(signIn));

        expect(status).to.equal(200);
        expect(headers['cache-control']).to.equal('no-store');
        expect(body).to.have.all.keys('user', 'profile', 'session');
        expect(body.user).to.deep.equal(signIn.body.user);
        expect(body.session).to.deep.equal(signIn.body.session);
        expect(body.profile).to.include({
          id: account.profileId,
          userId: account.userId,
          lastName: 'Hopper',
          phone: null,
        });
      });

      it('accepts a missing X-Session-Id, and one in any letter case', async () => {
        const device = await createDevice();
        for (const sessionId of [undefined, device.sessionId, device.sessionId.toUpperCase()]) {
          const { status, body } = await client().me(device, { 'X-Session-Id': sessionId });
          expect(status).to.equal(200);
          expect(body.session.id).to.equal(device.sessionId);
        }
      });

      it('returns SESSION_NOT_FOUND for another fingerprint, also of another device of the user', async () => {
        const account = await client().createAccount();
        const [device, other] = [await client().openDevice(account), await client().openDevice(account)];
        for (const fingerprint of ['unknown', other.fingerprint, device.fingerprint.toUpperCase()]) {
          const response = await client().me(device, { 'X-Fingerprint': fingerprint });
          expectError(response, 401, 'SESSION_NOT_FOUND');
          expect(response.headers['www-authenticate']).to.equal('Bearer');
        }
        expect((await client().me(device)).status).to.equal(200);
      });

      it('returns SESSION_NOT_FOUND for another session id, existing or not', async () => {
        const account = await client().createAccount();
        const [device, other] = [await client().openDevice(account), await client().openDevice(account)];
        for (const sessionId of [other.sessionId, '11111111-1111-4111-8111-111111111111'])
          expectError(await client().me(device, { 'X-Session-Id': sessionId }), 401, 'SESSION_NOT_FOUND');
        const asOther = { 'X-Fingerprint': other.fingerprint, 'X-Session-Id': other.sessionId };
        expectError(await client().me(device, asOther), 401, 'SESSION_NOT_FOUND');
      });

      it('rejects a malformed X-Session-Id, and a missing or empty X-Fingerprint', async () => {
        const device = await createDevice();
        for (const sessionId of ['1', 'urn:uuid:11111111-1111-4111-8111-111111111111', "' or 1=1 --", '']) {
          const response = await client().me(device, { 'X-Session-Id': sessionId });
          expectError(response, 400, 'VALIDATION_FAILED', '/headers/x-session-id');
        }
        for (const fingerprint of [undefined, '', 'x'.repeat(257)]) {
          const response = await client().me(device, { 'X-Fingerprint': fingerprint });
          expectError(response, 400, 'VALIDATION_FAILED', '/headers/x-fingerprint');
        }
      });

      it('reads the token only from the bearer scheme, in any letter case', async () => {
        const device = await createDevice();
        const { accessToken } = device;
        for (const header of [`bearer ${accessToken}`, `BEARER ${accessToken}`])
          expect((await client().me(device, { Authorization: header })).status).to.equal(200);
        for (const header of [
          accessToken,
          `Basic ${accessToken}`,
          'Bearer',
          'Bearer ',
          `Bearer ${accessToken} x`,
        ])
          expectError(await client().me(device, { Authorization: header }), 401, 'TOKEN_INVALID');
        const cookie = {
          Authorization: undefined,
          Cookie: `token=${accessToken}; access_token=${accessToken}`,
        };
        expectError(await client().me(device, cookie), 401, 'TOKEN_INVALID');
      });
    });
});
