import { accessHeaders, CUSTOMER } from '@platform/shared/testing/auth-client';
import type { Device } from '@platform/shared/testing/device';
import { holdLock } from '@platform/shared/testing/hold-lock';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { countDeadlocks, countSessions } from '@platform/shared/testing/query-database';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

const CHANGES = [
  ['the user is blocked', 'is_blocked = true', 'USER_BLOCKED'],
  ['the password is changed', "password_hash = 'another'", 'INVALID_CREDENTIALS'],
] as const;

describe('sign-in races', () => {
  const service = useAuthService();

  for (const [name, change, code] of CHANGES)
    it(`rejects the sign-in when ${name} during the password comparison`, async () => {
      const client = service().as('customer');
      const { email, password, userId } = await client.createAccount();
      const text = `update users set ${change} where id = $1`;
      const lock = await holdLock(service().databaseUrl, text, [userId]);
      const signIn = client.signIn({ fingerprint: 'device', body: { email, password } });
      // The password has been compared with the previous hash, and only then the change is committed.
      await lock.commitWhenWaiting(1);

      expectError(await signIn, 401, code);
      expect(await countSessions(service().databaseUrl, userId)).to.deep.equal({
        sessions: 0,
        tokenRecords: 0,
      });
    });

  it('rejects the sign-in of an administrator whose role is removed during the password comparison', async () => {
    const { databaseUrl, records } = service();
    const { id, email, password } = await records.user(['OPERATOR'], { isEmailVerified: true });
    // As the back office and `npm run role:remove` do it, whose tests expect the higher version.
    const text = `with removed as (delete from user_roles where user_id = $1)
      update users set factor_version = factor_version + 1 where id = $1`;
    const removal = await holdLock(databaseUrl, text, [id]);
    const signIn = service().as('administrator').signIn({ fingerprint: 'device', body: { email, password } });
    await removal.commitWhenWaiting(1);
    expectError(await signIn, 403, 'PLATFORM_ROLE_INVALID');
  });
});

describe('lock order of sessions and token records', () => {
  const service = useAuthService();
  const client = () => service().as('customer');
  /** Ends the session with this id, or without an id all other sessions. */
  const endSessions = (caller: Device, id = '') =>
    send(service().url, 'DELETE', `${CUSTOMER.path}/sessions${id && `/${id}`}`, {
      headers: accessHeaders(caller),
    });

  /**
   * Each request deletes the token record of `device`, which signs in again at the same time. The end of sessions
   * locks the user, so it waits for the sign-in, and ends the new session, too.
   */
  const REMOVALS: [
    name: string,
    prepare: (device: Device, other: Device) => Promise<() => Promise<HttpResponse>>,
    tokenRecordsLeft?: number,
  ][] = [
    ['sign-out', async (device) => () => client().signOut(device)],
    [
      'the end of a session by its id',
      async (device, other) => () => endSessions(other, device.sessionId),
      1,
    ],
    ['the end of all other sessions', async (_device, other) => () => endSessions(other), 1],
    [
      'the reuse of a refresh token',
      async (device) => {
        await client().refreshed(await client().refreshed(device));
        return () => client().refreshToken(device);
      },
    ],
  ];

  for (const [name, prepare, tokenRecordsLeft = 2] of REMOVALS)
    it(`causes no deadlock between a sign-in and ${name}`, async () => {
      const { databaseUrl } = service();
      const account = await client().createAccount();
      const [device, other] = [await client().openDevice(account), await client().openDevice(account)];
      const remove = await prepare(device, other);
      const before = await countDeadlocks(databaseUrl);
      const lock = await holdLock(databaseUrl, 'select 1 from sessions where id = $1 for update', [
        device.sessionId,
      ]);
      const signIn = client().signIn({ fingerprint: device.fingerprint, body: account });
      await lock.untilWaiting(1);
      const removed = remove();
      await lock.releaseWhenWaiting(2);
      expect((await signIn).status).to.equal(200);
      // If the sign-in came first, there may be nothing to delete.
      expect((await removed).status).to.be.below(500);
      expect(await countDeadlocks(databaseUrl)).to.equal(before);
      const { sessions, tokenRecords } = await countSessions(databaseUrl, account.userId);
      expect({ sessions, tokenRecords }).to.deep.equal({ sessions: 2, tokenRecords: tokenRecordsLeft });
    });
});
