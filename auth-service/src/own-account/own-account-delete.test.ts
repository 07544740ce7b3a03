import { ACCOUNT_KINDS, ALL_KINDS, PLATFORM_ROLES } from '@platform/shared/testing/auth-client';

import { CONFIRMATION, PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { parseSetCookies } from '@platform/shared/testing/http-client';
import { useRecords } from '@platform/shared/testing/records';
import { expectError, observable } from '@platform/shared/testing/responses';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { expectCookieCleared } from '../../testing/refresh-cookie.ts';
import { expectFactorInvalid, WRONG_CODE } from '../../testing/second-factor.ts';

const NEW_PASSWORD = 'A better horse 2';

describe('account deletion', () => {
  const service = useAuthService();
  const records = useRecords(() => service().databaseUrl);

  const client = () => service().as('customer');
  const own = () => client();
  const begin = async () => {
    const account = await client().createAccount({ firstName: 'Ada' });
    return { account, device: await client().openDevice(account) };
  };
  const expectDeleted = async (device: { accessToken: string }): Promise<void> => {
    const { status, text } = await own().accountDelete({ ...device, body: CONFIRMATION });
    expect(status, text).to.equal(204);
  };

  for (const kind of ACCOUNT_KINDS)
    it(`ends all sessions of ${kind.plural}, clears the cookie, is audited, and mails a notice`, async () => {
      const client = service().as(kind);
      const { account, device } = await client.createAccountAndDevice();
      const other = await client.openDevice(account);
      await records.query("update users set language = 'de' where id = $1", [account.userId]);
      const response = await client.accountDelete({ ...device, body: CONFIRMATION });
      expect(response.status, response.text).to.equal(204);
      expectCookieCleared(response, kind.refreshCookie);
      await client.expectSignedOut(device);
      await client.expectSignedOut(other);
      const mails = await service().mails.outboxFor(account.email);
      expect(mails).to.have.lengthOf(1);
      expect(mails[0]).to.include({ template: 'account-deleted', language: 'de', isEmailVerified: false });
      const audit = await records.auditOf(account.userId);
      expect(audit.map(({ action, actorId, details }) => ({ action, actorId, details }))).to.deep.equal([
        { action: 'ACCOUNT_DELETED', actorId: account.userId, details: { kind: kind.kind } },
      ]);
    });

  it('makes the address behave like an unknown one', async () => {
    const { account, device } = await begin();
    const unknown = { ...account, email: `un${account.email}` };
    await expectDeleted(device);
    const getResponses = async ({ email }: { email: string }) => [
      observable(await client().signIn({ fingerprint: 'a-device', body: { email, password: PASSWORD } })),
      observable(await client().resetPasswordEmailCodeSend({ body: { email } })),
      observable(
        await client().resetPasswordEmailCode({ body: { email, code: '123456', newPassword: NEW_PASSWORD } }),
      ),
    ];
    const responses = await getResponses(account);
    expect(responses).to.deep.equal(await getResponses(unknown));
    expect(responses.map(({ status }) => status)).to.deep.equal([401, 200, 400]);
    const mails = await service().mails.queuedFor(account.email);
    expect(mails).to.deep.equal([]);
  });

  it('frees the address for a new account, which inherits nothing', async () => {
    const { account, device } = await begin();
    await own().requestEmailChangeCode(device, `new-${account.email}`);
    await expectDeleted(device);
    const next = await client().createAccount({ email: account.email, password: NEW_PASSWORD });
    expect(next.userId).not.to.equal(account.userId);
    const signedIn = await client().openDevice(next);
    expect((await client().me(signedIn)).body.user).to.include({ isEmailVerified: false });
    expect((await client().me(signedIn)).body.profile).to.include({ firstName: null });
    await client().expectNoSignIn({ email: account.email, password: PASSWORD }, device.fingerprint);
    await client().expectSignedOut(device);
  });

  it('does not accept codes from before it', async () => {
    const { account, device } = await begin();
    const { email } = account;
    const verification = await service().as('customer').requestVerificationCode(device, email);
    const code = await service().as('customer').requestResetCode(email);
    await expectDeleted(device);
    expectError(
      await client().verificationEmailCodeCheck({ ...device, body: { code: verification } }),
      401,
      'TOKEN_INVALID',
    );
    expectError(
      await client().resetPasswordEmailCode({ body: { email, code, newPassword: NEW_PASSWORD } }),
      400,
      'CODE_INVALID',
    );
    const next = await client().createAccount({ email });
    expectError(
      await client().resetPasswordEmailCode({ body: { email, code, newPassword: NEW_PASSWORD } }),
      400,
      'CODE_INVALID',
    );
    await client().openDevice(next);
  });

  it('deletes the waiting mails of the user, and no mail only because of its address', async () => {
    const { account, device } = await begin();
    const newEmail = uniqueEmail();
    const code = await own().requestEmailChangeCode(device, newEmail);
    expect((await own().emailChangeCheck({ ...device, body: { code } })).status).to.equal(200);
    const stranger = await client().createAccount({ email: account.email });
    const form = { template: 'support-request', to: account.email, request: { email: uniqueEmail() } };
    await records.query("insert into mail_outbox (mail, request_id) values ($1, 'form')", [form]);
    for (const deleted of [await client().openDevice(stranger), device]) await expectDeleted(deleted);
    expect(await service().mails.templatesFor(account.email)).to.deep.equal([
      'email-changed',
      'support-request',
      'account-deleted',
    ]);
    expect(await service().mails.templatesFor(newEmail)).to.deep.equal(['account-deleted']);
  });

  it('succeeds for an administrator whose role was removed meanwhile', async () => {
    const user = await records.user(['OPERATOR']);
    const client = service().as('administrator');
    const device = await client.openDevice(user);
    await records.query('delete from user_roles where user_id = $1', [user.id]);
    expect((await client.accountDelete({ ...device, body: CONFIRMATION })).status).to.equal(204);
    await client.expectSignedOut(device);
  });

  for (const role of PLATFORM_ROLES)
    it(`returns 409 to the platform role ${role} in every kind of session`, async () => {
      const user = await records.user([role, 'CUSTOMER', 'EMPLOYEE']);
      for (const kind of ALL_KINDS) {
        const client = service().as(kind);
        const device = await client.openDevice(user);
        const response = await client.accountDelete({ ...device, body: CONFIRMATION });
        expectError(response, 409, 'PLATFORM_ROLE_TAKEN');
        expect(parseSetCookies(response)).to.deep.equal([]);
        await client.expectSignedIn(device);
      }
      expect(await service().mails.outboxFor(user.email)).to.deep.equal([]);
      expect(await records.auditOf(user.id)).to.deep.equal([]);
    });

  it('keeps projects and teams with an anonymous owner and member', async () => {
    const user = await records.user(['EMPLOYEE']);
    const projectId = await records.project({ ownerId: user.id });
    const teamId = await records.team();
    await records.member(teamId, { role: 'ADMINISTRATOR' });
    await records.member(teamId, { employeeId: user.employeeId, role: 'ADMINISTRATOR' });
    const client = service().as('employee');
    const response = await client.accountDelete({ ...(await client.openDevice(user)), body: CONFIRMATION });
    expect(response.status, response.text).to.equal(204);
    expect(
      await records.query('select owner_id as owner from projects where id = $1', [projectId]),
    ).to.deep.equal([{ owner: user.id }]);
    const members = await records.query(
      `select m.status, m.removed_at is not null as removed, e.first_name as name from team_members m
       join employee_profiles e on e.id = m.employee_id where m.employee_id = $1`,
      [user.employeeId],
    );
    expect(members).to.deep.equal([{ status: 'REMOVED', removed: true, name: null }]);
  });

  it('records an event for each team that the user leaves, and then one for the deletion', async () => {
    const user = await records.user(['EMPLOYEE']);
    const { id, employeeId } = user;
    const teamIds = [await records.team(), await records.team()].sort();
    for (const teamId of teamIds) await records.member(teamId, { employeeId, status: 'INVITED' });
    await records.member(await records.team(), { employeeId, status: 'REMOVED' });
    const client = service().as('employee');
    const response = await client.accountDelete({ ...(await client.openDevice(user)), body: CONFIRMATION });
    expect(response.status, response.text).to.equal(204);
    const data = { employeeId, userId: id };
    const events = await records.query(
      "select type, subject, data from events where subject = $1 or data ->> 'userId' = $1::text order by sequence",
      [id],
    );
    expect(events).to.deep.equal([
      ...teamIds.map((subject) => ({ type: 'team.member-removed', subject, data })),
      { type: 'user.deleted', subject: id, data: {} },
    ]);
  });

  it('returns 409 to the last administrator of a team in every kind of session, and changes nothing', async () => {
    const user = await records.user(['ADMIN', 'CUSTOMER', 'EMPLOYEE']);
    const teamId = await records.team();
    await records.member(teamId);
    await records.member(teamId, { employeeId: user.employeeId, role: 'ADMINISTRATOR' });
    const opened = [];
    for (const kind of ALL_KINDS) opened.push({ kind, device: await service().as(kind).openDevice(user) });
    await records.query("delete from user_roles where user_id = $1 and role = 'ADMIN'", [user.id]);
    for (const { kind, device } of opened) {
      const client = service().as(kind);
      const response = await client.accountDelete({ ...device, body: CONFIRMATION });
      expectError(response, 409, 'LAST_TEAM_ADMINISTRATOR');
      await client.expectSignedIn(device);
    }
    expect(await service().mails.outboxFor(user.email)).to.deep.equal([]);
    expect(await records.eventsOf(teamId)).to.deep.equal([]);
  });
});

describe('own account with a second factor', () => {
  const service = useAuthService();
  const own = () => service().as('customer');

  it('needs the password and a factor for its deletion', async () => {
    const { account, device, secret } = await service().as('customer').openAccountWithTotp();
    const withoutFactor = await own().accountDelete({ ...device, body: CONFIRMATION });
    expectError(withoutFactor, 403, 'FACTOR_REQUIRED');
    expect(withoutFactor.body.factors).to.deep.equal(['totp', 'recovery-code']);
    const proof = { totpCode: totpCode(secret, 1) };
    const both = { currentPassword: PASSWORD, ...proof, recoveryCode: 'aaaa' };
    expectError(await own().accountDelete({ ...device, body: both }), 400, 'VALIDATION_FAILED', '/body');
    expectFactorInvalid(
      await own().accountDelete({ ...device, body: { currentPassword: PASSWORD, totpCode: WRONG_CODE } }),
    );
    await service().as('customer').me(device);
    const response = await own().accountDelete({ ...device, body: { currentPassword: PASSWORD, ...proof } });
    expect(response.status, response.text).to.equal(204);
    const [left] = await service().records.query<{ count: number }>(
      `select (select count(*) from totp_factors where user_id = $1)::int +
         (select count(*) from recovery_codes where user_id = $1)::int as count`,
      [account.userId],
    );
    expect(left?.count).to.equal(0);
  });

  it('does not use up a recovery code when the deletion is rejected', async () => {
    const { account, device, recoveryCodes } = await service().as('customer').openAccountWithTotp();
    await service().records.giveRole(account.userId, 'ARBITER');
    const body = { currentPassword: PASSWORD, recoveryCode: recoveryCodes[0] };
    for (let round = 0; round < 2; round += 1)
      expectError(await own().accountDelete({ ...device, body }), 409, 'PLATFORM_ROLE_TAKEN');
    const { body: data } = await own().accountExport(device);
    expect(data.secondFactor.recoveryCodesLeft).to.equal(10);
  });

  it('changes its e-mail with the password alone, and keeps the factor', async () => {
    const { device } = await service().as('customer').openAccountWithTotp();
    const newEmail = uniqueEmail();
    const code = await own().requestEmailChangeCode(device, newEmail);
    expect((await own().emailChangeCheck({ ...device, body: { code } })).status).to.equal(200);
    const client = service().as('customer');
    const response = await client.signIn({
      fingerprint: 'a-device',
      body: { email: newEmail, password: PASSWORD },
    });
    expectError(response, 401, 'SECOND_FACTOR_REQUIRED');
  });
});
