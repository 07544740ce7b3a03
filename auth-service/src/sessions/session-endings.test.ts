import { ADMINISTRATOR, type AuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import type { Device, TestAccount } from '@platform/shared/testing/device';
import { lockUser } from '@platform/shared/testing/hold-lock';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { backdateRefresh } from '@platform/shared/testing/query-database';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

const NEW_PASSWORD = 'Another horse 8';

type Owner = { client: AuthClient; account: TestAccount; device: Device; other: Device };
/** Returns the request, which is prepared before the lock is held. */
type Ending = (owner: Owner) => Promise<() => Promise<HttpResponse>>;

/** After the response to its end, no change of a session is committed, because both lock the user. */
describe('the end of sessions', () => {
  const service = useAuthService();

  const ENDINGS: Record<string, Ending> = {
    'a sign-out':
      async ({ client, device }) =>
      () =>
        client.signOut(device),
    'the end of another session':
      async ({ client, device, other }) =>
      () =>
        client.endSession({ ...device, sessionId: other.sessionId }),
    'the end of all other sessions':
      async ({ client, device }) =>
      () =>
        client.endOtherSessions(device),
    'the reuse of a refresh token': async ({ client, device }) => {
      const refreshed = await client.refreshed(device);
      await backdateRefresh(service().databaseUrl, refreshed.sessionId, 60);
      return () => client.refreshToken(device);
    },
    'a change of the password':
      async ({ client, device }) =>
      () =>
        client.resetPasswordMe({ ...device, body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD } }),
    'a reset by code': async ({ client, account }) => {
      const code = await service().as(ADMINISTRATOR).requestResetCode(account.email);
      const body = { email: account.email, code, newPassword: NEW_PASSWORD };
      return () => client.resetPasswordEmailCode({ body });
    },
  };

  for (const [name, prepare] of Object.entries(ENDINGS))
    it(`waits for the changes that hold the lock on the user: ${name}`, async () => {
      const client = service().as(ADMINISTRATOR);
      const { account, device } = await client.openVerifiedAccount();
      const owner = { client, account, device, other: await client.openDevice(account) };
      const end = await prepare(owner);
      const lock = await lockUser(service().databaseUrl, account.userId);
      let isAnswered = false;
      const ended = end().finally(() => {
        isAnswered = true;
      });
      await lock.untilWaiting(1);
      expect(isAnswered).to.equal(false);
      await lock.commit();
      expect((await ended).status).to.be.oneOf([200, 204, 401]);
    });
});
