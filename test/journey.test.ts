import { expectError, setCookies } from '@platform/shared/testing/answers';
import { ACCOUNT_KINDS, createAuthClient, otherKind } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { sharedStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';

describe('Through the gateway', () => {
  let gatewayUrl: string;
  before('start the stack', async function () {
    this.timeout(60_000);
    gatewayUrl = (await sharedStack()).stack.gatewayUrl;
  });

  for (const kind of ACCOUNT_KINDS) {
    it(`one of the ${kind.plural} signs up, signs in, refreshes and signs out`, async () => {
      const client = createAuthClient(gatewayUrl, kind);
      const email = uniqueEmail();

      const signUp = await client.signUp({ email, password: PASSWORD, firstName: 'Ada' });
      expect(signUp.status, signUp.text).to.equal(201);

      const device = await client.openDevice({ email, password: PASSWORD });
      const me = await client.me(device);
      expect(me.status).to.equal(200);
      expect(me.body.user).to.deep.equal(signUp.body.user);
      expect(me.body.profile).to.deep.equal(signUp.body.profile);
      expect(me.body.session).to.include({ id: device.sessionId, fingerprint: device.fingerprint });

      const refreshed = await client.refreshed(device);
      expectError(await client.me(device), 401, 'TOKEN_INVALID');
      const universal = await client.universalMe(refreshed);
      expect(universal.body).to.deep.include({ kind: kind.kind, user: me.body.user });

      const signOut = await client.signOut(refreshed);
      expect(signOut.status).to.equal(204);
      expect(setCookies(signOut).map(({ name, value }) => [name, value])).to.deep.equal([
        [kind.refreshCookie, ''],
      ]);
      expectError(await client.me(refreshed), 401, 'TOKEN_INVALID');
      expectError(await client.refresh(refreshed), 401, 'TOKEN_INVALID');

      const again = await client.openDevice({ email, password: PASSWORD }, device.fingerprint);
      expect(again.sessionId).to.equal(device.sessionId);
    });

    it(`the tokens of the ${kind.plural} open nothing of the ${otherKind(kind).plural}`, async () => {
      const own = createAuthClient(gatewayUrl, kind);
      const other = createAuthClient(gatewayUrl, otherKind(kind));
      const device = await own.openDevice(await own.createAccount());
      for (const call of [other.me, other.signOut, other.refresh])
        expectError(await call(device), 401, 'TOKEN_INVALID');
      expect((await own.me(device)).status).to.equal(200);
    });

    it(`the session of one of the ${kind.plural} has the address that the gateway saw, not one that was claimed`, async () => {
      const client = createAuthClient(gatewayUrl, kind);
      const { email, password } = await client.createAccount();
      const claimed = {
        'X-Forwarded-For': '203.0.113.7',
        'X-Real-IP': '203.0.113.7',
        Forwarded: 'for=203.0.113.7',
      };
      const { body } = await client.signIn({ email, password }, 'device', claimed);
      expect(body.session.ip).to.equal('127.0.0.1');
    });
  }
});
