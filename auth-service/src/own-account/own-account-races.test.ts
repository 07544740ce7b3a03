import { CONFIRMATION, PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { holdLock, lockUser } from '@platform/shared/testing/hold-lock';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { useRecords } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

const NEW_PASSWORD = 'A better horse 2';

describe('own account concurrency', () => {
  const service = useAuthService();
  const records = useRecords(() => service().databaseUrl);

  const client = () => service().as('customer');
  const own = () => client();
  const begin = async () => {
    const account = await client().createAccount();
    return { account, device: await client().openDevice(account), other: await client().openDevice(account) };
  };

  /** Makes both requests wait for the lock of the user, in this order. */
  const inOrder = async (
    userId: string,
    first: () => Promise<HttpResponse>,
    second: () => Promise<HttpResponse>,
  ): Promise<[HttpResponse, HttpResponse]> => {
    const lock = await lockUser(service().databaseUrl, userId);
    const one = first();
    await lock.untilWaiting(1);
    const other = second();
    await lock.releaseWhenWaiting(2);
    return [await one, await other];
  };
  const expectNothingLeft = async (userId: string): Promise<void> => {
    const rows = await records.query(
      `select email, password_hash as hash, is_email_verified as verified,
         (select count(*)::int from token_records where user_id = u.id) as tokens,
         (select count(*)::int from sessions where user_id = u.id) as sessions from users u where id = $1`,
      [userId],
    );
    expect(rows).to.deep.equal([{ email: null, hash: 'deleted', verified: false, tokens: 0, sessions: 0 }]);
  };

  /** Requests that a confirmed password allows, and that take long enough for the session to end meanwhile. */
  const CONFIRMED: [name: string, request: (device: Device) => Promise<HttpResponse>][] = [
    [
      'a password change',
      (device) =>
        own().resetPasswordMe({ ...device, body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD } }),
    ],
    ['a deletion', (device) => own().accountDelete({ ...device, body: CONFIRMATION })],
  ];

  for (const [name, request] of CONFIRMED)
    it(`rejects ${name} whose session is ended after the comparison of the password`, async () => {
      const { account, device } = await begin();
      const text = `with ended as (delete from token_records where user_id = $1)
        select 1 from users where id = $1 for no key update`;
      const lock = await holdLock(service().databaseUrl, text, [account.userId]);
      const response = request(device);
      await lock.commitWhenWaiting(1);
      expectError(await response, 401, 'TOKEN_INVALID');
      expect((await client().signIn({ fingerprint: uniqueFingerprint(), body: account })).status).to.equal(
        200,
      );
    });

  /** Requests that fail when the deletion came first. */
  const LOSERS: [
    name: string,
    request: (account: { email: string }, other: Device) => Promise<HttpResponse>,
    status: number,
    code: string,
  ][] = [
    [
      'a sign-in',
      ({ email }) =>
        client().signIn({ fingerprint: uniqueFingerprint(), body: { email, password: PASSWORD } }),
      401,
      'INVALID_CREDENTIALS',
    ],
    [
      'a password change',
      (_account, other) =>
        client().resetPasswordMe({
          ...other,
          body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
        }),
      401,
      'TOKEN_INVALID',
    ],
    [
      'a second deletion',
      (_account, other) => own().accountDelete({ ...other, body: CONFIRMATION }),
      401,
      'TOKEN_INVALID',
    ],
    [
      'the request of an e-mail change',
      (_account, other) =>
        own().emailChange({ ...other, body: { newEmail: uniqueEmail(), ...CONFIRMATION } }),
      401,
      'TOKEN_INVALID',
    ],
  ];

  for (const [name, request, status, code] of LOSERS)
    it(`rejects ${name} after a deletion`, async () => {
      const { account, device, other } = await begin();
      const [deleted, response] = await inOrder(
        account.userId,
        () => own().accountDelete({ ...device, body: CONFIRMATION }),
        () => request(account, other),
      );
      expect(deleted.status, deleted.text).to.equal(204);
      expectError(response, status, code);
      await expectNothingLeft(account.userId);
      expect(await service().mails.templatesFor(account.email)).to.deep.equal(['account-deleted']);
    });

  it('counts no wrong password after a deletion', async () => {
    const { account, other } = await begin();
    const lock = await holdLock(service().databaseUrl, 'lock table failed_guesses in exclusive mode');
    const response = client().accountDelete({ ...other, body: { currentPassword: 'wrong' } });
    await lock.untilWaiting(1);
    await records.query(
      "update users set email = null, password_hash = 'deleted', deleted_at = now() where id = $1",
      [account.userId],
    );
    await lock.release();
    expectError(await response, 401, 'TOKEN_INVALID');
    const text = 'select 1 from failed_guesses where subject = $1';
    expect(await records.query(text, [account.userId])).to.deep.equal([]);
  });

  it('deletes a session that a sign-in has just opened', async () => {
    const { account, device } = await begin();
    const { email } = account;
    const [signedIn, deleted] = await inOrder(
      account.userId,
      () => client().signIn({ fingerprint: uniqueFingerprint(), body: { email, password: PASSWORD } }),
      () => own().accountDelete({ ...device, body: CONFIRMATION }),
    );
    expect([signedIn.status, deleted.status]).to.deep.equal([200, 204]);
    await client().expectSignedOut(client().toDevice(signedIn));
    await expectNothingLeft(account.userId);
  });

  it('rejects the confirmation of an e-mail change after a deletion', async () => {
    const { account, device, other } = await begin();
    const newEmail = uniqueEmail();
    const code = await own().requestEmailChangeCode(other, newEmail);
    const [deleted, response] = await inOrder(
      account.userId,
      () => own().accountDelete({ ...device, body: CONFIRMATION }),
      () => own().emailChangeCheck({ ...other, body: { code } }),
    );
    expect(deleted.status, deleted.text).to.equal(204);
    expectError(response, 400, 'CODE_INVALID');
    await expectNothingLeft(account.userId);
    await client().createAccount({ email: newEmail });
  });

  it('mails the notice of a deletion to the address of an e-mail change that was first', async () => {
    const { account, device } = await begin();
    const newEmail = uniqueEmail();
    const code = await own().requestEmailChangeCode(device, newEmail);
    const [changed, deleted] = await inOrder(
      account.userId,
      () => own().emailChangeCheck({ ...device, body: { code } }),
      () => own().accountDelete({ ...device, body: CONFIRMATION }),
    );
    expect([changed.status, deleted.status]).to.deep.equal([200, 204]);
    expect(await service().mails.templatesFor(newEmail)).to.deep.equal(['account-deleted']);
  });

  it('does not reset the password of an account whose e-mail has just changed, or that was deleted', async () => {
    for (const isDeleted of [true, false]) {
      const { account, device } = await begin();
      const { email } = account;
      const reset = {
        email,
        code: await service().as('customer').requestResetCode(email),
        newPassword: NEW_PASSWORD,
      };
      const newEmail = uniqueEmail();
      const code = await own().requestEmailChangeCode(device, newEmail);
      const [first, response] = await inOrder(
        account.userId,
        () =>
          isDeleted
            ? own().accountDelete({ ...device, body: CONFIRMATION })
            : own().emailChangeCheck({ ...device, body: { code } }),
        () => client().resetPasswordEmailCode({ body: reset }),
      );
      expect(first.status, first.text).to.equal(isDeleted ? 204 : 200);
      expectError(response, 400, 'CODE_INVALID');
      if (isDeleted) await expectNothingLeft(account.userId);
      else await client().openDevice({ email: newEmail, password: PASSWORD });
    }
  });

  it('gives a requested address to one of two users, and of a user and a sign-up', async () => {
    const newEmail = uniqueEmail();
    const one = await begin();
    const code = await own().requestEmailChangeCode(one.device, newEmail);
    const employee = service().as('employee');
    const other = employee;
    const device = await employee.createDevice();
    await service().redis.passTime(120);
    const otherCode = await other.requestEmailChangeCode(device, newEmail);
    const responses = await Promise.all([
      own().emailChangeCheck({ ...one.device, body: { code } }),
      other.emailChangeCheck({ ...device, body: { code: otherCode } }),
      client().signUp({ body: { email: newEmail, password: PASSWORD } }),
    ]);
    const winners = responses.filter(({ status }) => status < 300);
    expect(winners).to.have.lengthOf(1);
    for (const response of responses.filter(({ status }) => status >= 300))
      expectError(response, 409, 'EMAIL_TAKEN');
    expect(await records.query('select 1 from users where email = $1', [newEmail])).to.have.lengthOf(1);
  });

  it('accepts one of many confirmations with a code', async () => {
    const { account, device } = await begin();
    const code = await own().requestEmailChangeCode(device, uniqueEmail());
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => own().emailChangeCheck({ ...device, body: { code } })),
    );
    expect(responses.map(({ status }) => status).sort()).to.deep.equal([200, 400, 400, 400, 400]);
    const audit = await records.auditOf(account.userId);
    expect(audit.filter(({ action }) => action === 'EMAIL_CHANGED')).to.have.lengthOf(1);
  });

  it('leaves a team one of two administrators who delete their accounts at once', async () => {
    const employee = service().as('employee');
    const teamId = await records.team();
    const users = await Promise.all([0, 1].map(() => records.user(['EMPLOYEE'])));
    for (const { employeeId } of users) await records.member(teamId, { employeeId, role: 'ADMINISTRATOR' });
    const devices = await Promise.all(users.map((user) => employee.openDevice(user)));
    const lock = await holdLock(
      service().databaseUrl,
      'select 1 from teams where id = $1 for no key update',
      [teamId],
    );
    const both = Promise.all(
      devices.map((device) => employee.accountDelete({ ...device, body: CONFIRMATION })),
    );
    await lock.releaseWhenWaiting(2);
    const responses = await both;
    expect(responses.map(({ status }) => status).sort()).to.deep.equal([204, 409]);
    const refused = responses.find(({ status }) => status === 409);
    if (refused) expectError(refused, 409, 'LAST_TEAM_ADMINISTRATOR');
  });
});
