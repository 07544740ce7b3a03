import { ACCOUNT_KINDS, otherKind } from '@platform/shared/testing/auth-client';
import { PASSWORD, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { parseSetCookies } from '@platform/shared/testing/http-client';
import { setBlocked } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useCodeService } from './code-service.ts';

const NEW_PASSWORD = 'A better horse 2';
const CHANGE = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };

const malformed: [string, object, string][] = [
  ['no current password', { currentPassword: undefined }, '/body/currentPassword'],
  ['an empty current password', { currentPassword: '' }, '/body/currentPassword'],
  ['a current password of 257 characters', { currentPassword: 'a'.repeat(257) }, '/body/currentPassword'],
  ['a current password that is null', { currentPassword: null }, '/body/currentPassword'],
  ['no new password', { newPassword: undefined }, '/body/newPassword'],
  ['a new password of 7 characters', { newPassword: '1234567' }, '/body/newPassword'],
  ['a new password of 73 bytes', { newPassword: `${'€'.repeat(24)}x` }, '/body/newPassword'],
  ['a new password with a NUL in it', { newPassword: 'pass\0phrase' }, '/body/newPassword'],
];

describe('A password change by the signed-in user', () => {
  const service = useCodeService();

  for (const kind of ACCOUNT_KINDS)
    describe(`of ${kind.plural}`, () => {
      const client = () => service().client(kind);
      const signedIn = async () => {
        const account = await client().createAccount();
        return { account, device: await client().openDevice(account) };
      };
      const expectUnchanged = async (account: { email: string; password: string }) => {
        await client().openDevice(account);
        expect(await service().outboxFor(account.email)).to.deep.equal([]);
      };

      it('When the current password is right, then the new one signs in and the old one does not', async () => {
        const { account, device } = await signedIn();
        const answer = await client().changePassword(device, CHANGE);
        expect({ status: answer.status, text: answer.text }).to.deep.equal({ status: 204, text: '' });
        expect(parseSetCookies(answer)).to.deep.equal([]);
        expectError(await client().signIn(account, 'device'), 401, 'INVALID_CREDENTIALS');
        await client().openDevice({ email: account.email, password: NEW_PASSWORD });
      });

      it('When the password is changed, then this device stays signed in and every other is signed out', async () => {
        const { account, device } = await signedIn();
        const others = [await client().openDevice(account), await client().openDevice(account)];
        const stranger = await client().openDevice(await client().createAccount());
        expect((await client().changePassword(device, CHANGE)).status).to.equal(204);
        await client().expectSignedIn(device);
        for (const other of others) await client().expectSignedOut(other);
        await client().expectSignedIn(stranger);
      });

      it('When the password is changed, then one notice waits in the outbox, without a secret in it', async () => {
        const { account, device } = await signedIn();
        expect((await client().changePassword(device, CHANGE)).status).to.equal(204);
        const [notice, ...others] = await service().outboxFor(account.email);
        expect(others).to.deep.equal([]);
        expect(notice).to.have.all.keys('template', 'to', 'changedAt');
        expect(notice).to.include({ template: 'password-changed', to: account.email });
      });

      it('When the current password is wrong, then nothing changes and nobody is signed out', async () => {
        const { account, device } = await signedIn();
        const other = await client().openDevice(account);
        const answer = await client().changePassword(device, { ...CHANGE, currentPassword: WRONG_PASSWORD });
        expectError(answer, 400, 'CURRENT_PASSWORD_WRONG');
        await client().expectSignedIn(other);
        await client().expectSignedIn(device);
        await expectUnchanged(account);
      });

      it('When it is changed once more with the token of the same device, then that works', async () => {
        const { account, device } = await signedIn();
        expect((await client().changePassword(device, CHANGE)).status).to.equal(204);
        expectError(await client().changePassword(device, CHANGE), 400, 'CURRENT_PASSWORD_WRONG');
        const again = { currentPassword: NEW_PASSWORD, newPassword: 'The best horse 3' };
        expect((await client().changePassword(device, again)).status).to.equal(204);
        await client().openDevice({ email: account.email, password: 'The best horse 3' });
        expect((await service().outboxFor(account.email)).length).to.equal(2);
      });

      it('When two devices change it in the same instant, then one of them does', async () => {
        const { account, device } = await signedIn();
        const other = await client().openDevice(account);
        const lock = await holdLock(
          service().databaseUrl,
          'select 1 from users where id = $1 for no key update',
          [account.userId],
        );
        // Both have shown the right password when the first is let through.
        const both = Promise.all([device, other].map((holder) => client().changePassword(holder, CHANGE)));
        await lock.untilWaiting(2);
        await lock.release();
        const answers = await both;
        expect(answers.map(({ status }) => status).sort()).to.deep.equal([204, 400]);
        const refused = answers.find(({ status }) => status === 400);
        if (refused) expectError(refused, 400, 'CURRENT_PASSWORD_WRONG');
        expect((await service().outboxFor(account.email)).length).to.equal(1);
      });

      it('When the refresh token comes in the Authorization header, then it is as good', async () => {
        const { account, device } = await signedIn();
        const header = { Cookie: undefined, Authorization: `Bearer ${device.refreshToken}` };
        expect((await client().changePassword(device, CHANGE, header)).status).to.equal(204);
        await client().openDevice({ email: account.email, password: NEW_PASSWORD });
      });

      it('When there is a cookie, then the Authorization header does not count', async () => {
        const { account, device } = await signedIn();
        const spoilt = {
          Cookie: `${kind.refreshCookie}=spoilt`,
          Authorization: `Bearer ${device.refreshToken}`,
        };
        expectError(await client().changePassword(device, CHANGE, spoilt), 401, 'TOKEN_INVALID');
        await expectUnchanged(account);
        const ignored = { Authorization: 'Bearer spoilt' };
        expect((await client().changePassword(device, CHANGE, ignored)).status).to.equal(204);
      });

      it('When the token is not a refresh token of this kind, then it is refused, whatever the body', async () => {
        const { account, device } = await signedIn();
        const stranger = service().client(otherKind(kind));
        const foreign = await stranger.openDevice(await stranger.createAccount());
        const wrong = [
          { Cookie: undefined },
          { Cookie: `${otherKind(kind).refreshCookie}=${device.refreshToken}` },
          { Cookie: `${kind.refreshCookie}=${foreign.refreshToken}` },
          { Cookie: `${kind.refreshCookie}=${device.accessToken}` },
          { Cookie: undefined, Authorization: `Bearer ${device.accessToken}` },
          { Cookie: undefined, Authorization: `Bearer ${foreign.refreshToken}` },
        ];
        for (const headers of wrong)
          for (const body of [CHANGE, {}]) {
            const answer = await client().changePassword(device, body, headers);
            expectError(answer, 401, 'TOKEN_INVALID');
            expect(answer.headers['www-authenticate']).to.equal('Bearer');
            expect(parseSetCookies(answer)).to.deep.equal([]);
          }
        await expectUnchanged(account);
      });

      it('When the token was exchanged a moment ago, then it is superseded: nothing changes', async () => {
        const { account, device } = await signedIn();
        const now = await client().refreshed(device);
        const answer = await client().changePassword(device, CHANGE);
        expectError(answer, 401, 'REFRESH_TOKEN_SUPERSEDED');
        expect(parseSetCookies(answer)).to.deep.equal([]);
        await expectUnchanged(account);
        expect((await client().changePassword(now, CHANGE)).status).to.equal(204);
      });

      it('When the token is an older one, then it is reused: the session ends and the cookie is cleared', async () => {
        const { account, device } = await signedIn();
        const now = await client().refreshed(await client().refreshed(device));
        const answer = await client().changePassword(device, CHANGE);
        expectError(answer, 401, 'REFRESH_TOKEN_REUSED');
        const [cookie, ...others] = parseSetCookies(answer);
        expect(others).to.deep.equal([]);
        expect(cookie).to.include({ name: kind.refreshCookie, value: '' });
        await client().expectSignedOut(now);
        await expectUnchanged(account);
      });

      it('When the device has signed out, then its token changes nothing', async () => {
        const { account, device } = await signedIn();
        expect((await client().signOut(device)).status).to.equal(204);
        expectError(await client().changePassword(device, CHANGE), 401, 'TOKEN_INVALID');
        await expectUnchanged(account);
      });

      it('When the user is blocked, then the token changes nothing', async () => {
        const { account, device } = await signedIn();
        await setBlocked(service().databaseUrl, account.userId, true);
        expectError(await client().changePassword(device, CHANGE), 401, 'USER_BLOCKED');
        await setBlocked(service().databaseUrl, account.userId, false);
        await expectUnchanged(account);
      });

      for (const [name, change, path] of malformed)
        it(`When it comes with ${name}, then the field is named and nothing changes`, async () => {
          const { account, device } = await signedIn();
          const answer = await client().changePassword(device, { ...CHANGE, ...change });
          expectError(answer, 400, 'VALIDATION_FAILED', path);
          await expectUnchanged(account);
        });

      it('When it comes without a body, then it is refused', async () => {
        const { device } = await signedIn();
        expectError(await client().changePassword(device, undefined), 400, 'VALIDATION_FAILED');
      });

      it('When other fields come along, then they are dropped', async () => {
        const { device } = await signedIn();
        const body = { ...CHANGE, userId: '00000000-0000-4000-8000-000000000000', isEmailVerified: true };
        expect((await client().changePassword(device, body)).status).to.equal(204);
        expect((await client().checkVerified(device)).body).to.deep.equal({ verified: false });
      });
    });
});
