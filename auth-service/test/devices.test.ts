import { ACCOUNT_KINDS } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { countSessions } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from './auth-service.ts';

describe('Devices', () => {
  const service = useAuthService();

  for (const kind of ACCOUNT_KINDS)
    describe(`of ${kind.plural}`, () => {
      const client = () => service().client(kind);

      it('When the same device signs in twice, then one session remains and the first access token stops working', async () => {
        const account = await client().createAccount();
        const first = await client().openDevice(account);
        const second = await client().openDevice(account, first.fingerprint);

        expect(second.sessionId).to.equal(first.sessionId);
        expectError(await client().me(first), 401, 'TOKEN_INVALID');
        expect((await client().me(second)).status).to.equal(200);
        expect(await countSessions(service().databaseUrl, account.userId)).to.deep.equal({
          sessions: 1,
          tokenRecords: 1,
        });
      });

      it('When the same device signs in again, then its earlier refresh token is worth nothing and revokes nothing', async () => {
        const account = await client().createAccount();
        const first = await client().openDevice(account);
        const second = await client().openDevice(account, first.fingerprint);

        const answer = await client().refresh(first);
        expectError(answer, 401, 'TOKEN_INVALID');
        expect(answer.headers).not.to.have.property('set-cookie');
        await client().refreshed(second);
      });

      it('When the same device signs in again, then the session keeps its start and tells the new address', async () => {
        const { email, password } = await client().createAccount();
        const signIn = (address: string) =>
          client().signIn({ email, password }, 'device', { 'X-Forwarded-For': address });
        const before = (await signIn('203.0.113.1')).body.session;
        const after = (await signIn('203.0.113.2')).body.session;

        expect(after.createdAt).to.equal(before.createdAt);
        expect(Date.parse(after.updatedAt)).to.be.above(Date.parse(before.updatedAt));
        expect([before.ip, after.ip]).to.deep.equal(['203.0.113.1', '203.0.113.2']);
      });

      it('When a user has two devices, then each has a session of its own and outlives the other', async () => {
        const account = await client().createAccount();
        const laptop = await client().openDevice(account);
        const phone = await client().openDevice(account);
        expect(phone.sessionId).not.to.equal(laptop.sessionId);

        await client().signOut(laptop);
        expectError(await client().me(laptop), 401, 'TOKEN_INVALID');
        expect((await client().me(phone)).status).to.equal(200);
        await client().refreshed(phone);
      });

      it('When two users share a device, then neither sees the session of the other', async () => {
        const fingerprint = uniqueFingerprint();
        const [ada, bob] = [await client().createAccount(), await client().createAccount()];
        const adas = await client().openDevice(ada, fingerprint);
        const bobs = await client().openDevice(bob, fingerprint);

        expect(bobs.sessionId).not.to.equal(adas.sessionId);
        expect((await client().me(adas)).body.user.id).to.equal(ada.userId);
        expect((await client().me(bobs)).body.user.id).to.equal(bob.userId);
      });

      it('When a device signs out and in again, then it has the same session with new tokens', async () => {
        const account = await client().createAccount();
        const before = await client().openDevice(account);
        await client().signOut(before);
        const after = await client().openDevice(account, before.fingerprint);

        expect(after.sessionId).to.equal(before.sessionId);
        expect((await client().me(after)).status).to.equal(200);
        expectError(await client().me(before), 401, 'TOKEN_INVALID');
      });

      it('When ten sign-ins of one device come at once, then exactly one of their access tokens works', async () => {
        const account = await client().createAccount();
        const fingerprint = uniqueFingerprint();
        const devices = await Promise.all(
          Array.from({ length: 10 }, () => client().openDevice(account, fingerprint)),
        );
        const answers = await Promise.all(devices.map((device) => client().me(device)));
        expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
        expect(new Set(devices.map(({ sessionId }) => sessionId)).size).to.equal(1);
      });
    });
});
