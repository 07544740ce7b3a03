import { bearer, CUSTOMER, type Device, type TestAccount } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { setBlocked } from '@platform/shared/testing/query-database';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useCodeService } from '../code-service.ts';
import { createOwnAccountClient } from '../own-account/own-account-client.ts';

const NEW_PASSWORD = 'A better horse 2';

type Case = {
  account: TestAccount;
  /** Its access token is remembered. */
  device: Device;
  other: Device;
};

describe('access token that the service remembers', () => {
  const service = useCodeService();
  const client = () => service().client(CUSTOMER);
  const begin = async (): Promise<Case> => {
    const account = await client().createAccount();
    return { account, device: await client().openDevice(account), other: await client().openDevice(account) };
  };

  const ENDINGS: Record<string, (session: Case) => Promise<HttpResponse>> = {
    'a sign-out': ({ device }) => client().signOut(device),
    'a refresh': ({ device }) => client().refresh(device),
    'a sign-in on the same device': ({ account, device }) => client().signIn(account, device.fingerprint),
    'the end of its session on another device': ({ device, other }) =>
      send(service().url, 'DELETE', `${CUSTOMER.path}/sessions/${device.sessionId}`, {
        headers: bearer(other),
      }),
    'a password change on another device': ({ other }) =>
      client().changePassword(other, { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }),
    'a password reset': async ({ account: { email } }) => {
      const code = await service().requestResetCode(CUSTOMER, email);
      return client().resetPassword({ email, code, newPassword: NEW_PASSWORD });
    },
    'the reuse of a refresh token': async ({ device }) => {
      const renewed = await client().refreshed(device);
      expect((await client().me(renewed)).status).to.equal(200);
      await client().refreshed(renewed);
      return client().refresh(device);
    },
    'the deletion of the account': ({ other }) => createOwnAccountClient(client()).deleteAccount(other),
  };

  for (const [name, end] of Object.entries(ENDINGS))
    it(`is rejected at the first request after ${name}`, async () => {
      const session = await begin();
      for (let count = 0; count < 2; count += 1)
        expect((await client().me(session.device)).status).to.equal(200);
      expect((await end(session)).status).to.be.oneOf([200, 204, 401]);
      expectError(await client().me(session.device), 401, 'TOKEN_INVALID');
    });

  it('is rejected at the first request after a block, until the unblock', async () => {
    const { account, device } = await begin();
    for (const isBlocked of [false, true, false, true]) {
      await setBlocked(service().databaseUrl, account.userId, isBlocked);
      expect((await client().me(device)).body.code).to.equal(isBlocked ? 'USER_BLOCKED' : undefined);
    }
  });
});
