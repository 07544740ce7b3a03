import { ACCOUNT_KINDS } from '@platform/shared/testing/auth-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from './auth-service.ts';

describe('Me', () => {
  const service = useAuthService();

  for (const kind of ACCOUNT_KINDS)
    describe(`of ${kind.plural}`, () => {
      const client = () => service().client(kind);
      const signedIn = async () => client().openDevice(await client().createAccount());

      it('answers with the user, the profile and the session that the sign-in told', async () => {
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

      it('finds the session without X-Session-Id, and with it in either letter case', async () => {
        const device = await signedIn();
        for (const sessionId of [undefined, device.sessionId, device.sessionId.toUpperCase()]) {
          const { status, body } = await client().me(device, { 'X-Session-Id': sessionId });
          expect(status).to.equal(200);
          expect(body.session.id).to.equal(device.sessionId);
        }
      });

      it('finds no session for another fingerprint, be it of another device of the same user', async () => {
        const account = await client().createAccount();
        const [device, other] = [await client().openDevice(account), await client().openDevice(account)];
        for (const fingerprint of ['unknown', other.fingerprint, device.fingerprint.toUpperCase()]) {
          const answer = await client().me(device, { 'X-Fingerprint': fingerprint });
          expectError(answer, 401, 'SESSION_NOT_FOUND');
          expect(answer.headers['www-authenticate']).to.equal('Bearer');
        }
        expect((await client().me(device)).status).to.equal(200);
      });

      it('finds no session when X-Session-Id names another, existing or not', async () => {
        const account = await client().createAccount();
        const [device, other] = [await client().openDevice(account), await client().openDevice(account)];
        for (const sessionId of [other.sessionId, '11111111-1111-4111-8111-111111111111'])
          expectError(await client().me(device, { 'X-Session-Id': sessionId }), 401, 'SESSION_NOT_FOUND');
        const asOther = { 'X-Fingerprint': other.fingerprint, 'X-Session-Id': other.sessionId };
        expectError(await client().me(device, asOther), 401, 'SESSION_NOT_FOUND');
      });

      it('refuses a malformed X-Session-Id and a missing or empty X-Fingerprint', async () => {
        const device = await signedIn();
        for (const sessionId of ['1', 'urn:uuid:11111111-1111-4111-8111-111111111111', "' or 1=1 --", '']) {
          const answer = await client().me(device, { 'X-Session-Id': sessionId });
          expectError(answer, 400, 'VALIDATION_FAILED', '/headers/x-session-id');
        }
        for (const fingerprint of [undefined, '', 'x'.repeat(257)]) {
          const answer = await client().me(device, { 'X-Fingerprint': fingerprint });
          expectError(answer, 400, 'VALIDATION_FAILED', '/headers/x-fingerprint');
        }
      });

      it('takes the token from a bearer scheme in any letter case and from nowhere else', async () => {
        const device = await signedIn();
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
