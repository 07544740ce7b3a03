import {
  ACCOUNT_KINDS,
  ADMINISTRATOR,
  CUSTOMER,
  EMPLOYEE,
  PLATFORM_ROLES,
} from '@platform/shared/testing/auth-client';
import { PASSWORD, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { parseSetCookies } from '@platform/shared/testing/http-client';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { expectError, observable } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useCodeService } from './code-service.ts';
import { createOwnAccountClient, requestCode } from './own-account-client.ts';

const NEW_PASSWORD = 'A better horse 2';

describe('account deletion', () => {
  const service = useCodeService();
  let records: Records;
  before(() => {
    records = createRecords(service().databaseUrl);
  });
  after(() => records?.close());

  for (const kind of ACCOUNT_KINDS)
    describe(`of ${kind.plural}`, () => {
      const client = () => service().client(kind);
      const own = () => createOwnAccountClient(client());
      const begin = async () => {
        const account = await client().createAccount({ firstName: 'Ada' });
        return {
          account,
          device: await client().openDevice(account),
          other: await client().openDevice(account),
        };
      };
      const expectDeleted = async (device: { accessToken: string }): Promise<void> => {
        const { status, text } = await own().deleteAccount(device);
        expect(status, text).to.equal(204);
      };

      it('ends all sessions, clears the cookie, and mails a notice to the former address', async () => {
        const { account, device, other } = await begin();
        await records.query("update users set language = 'de' where id = $1", [account.userId]);
        const response = await own().deleteAccount(device);
        expect(response.status, response.text).to.equal(204);
        const [cookie, ...cookies] = parseSetCookies(response);
        expect(cookies).to.deep.equal([]);
        expect(cookie).to.include({ name: kind.refreshCookie, value: '' });
        await client().expectSignedOut(device);
        await client().expectSignedOut(other);
        const mails = await service().outboxFor(account.email);
        expect(mails).to.have.lengthOf(1);
        expect(mails[0]).to.include({ template: 'account-deleted', language: 'de' });
      });

      it('leaves no personal data, and an audit record without any', async () => {
        const { account, device } = await begin();
        await expectDeleted(device);
        const [user] = await records.query(
          `select email, password_hash as hash, deleted_at is not null as deleted, factor_version as version,
             (select count(*)::int from sessions where user_id = u.id) as sessions,
             (select count(*)::int from token_records where user_id = u.id) as tokens,
             (select count(*)::int from customer_profiles where user_id = u.id) as customers,
             (select count(*)::int from employee_profiles where user_id = u.id) as employees
           from users u where id = $1`,
          [account.userId],
        );
        expect(user).to.deep.equal({
          email: null,
          hash: 'deleted',
          deleted: true,
          version: 1,
          sessions: 0,
          tokens: 0,
          customers: 0,
          employees: 0,
        });
        const audit = await records.auditOf(account.userId);
        expect(audit.map(({ action, actorId, details }) => ({ action, actorId, details }))).to.deep.equal([
          { action: 'ACCOUNT_DELETED', actorId: account.userId, details: { kind: kind.kind } },
        ]);
      });

      it('makes the address behave as an unknown one', async () => {
        const { account, device } = await begin();
        const unknown = { ...account, email: `un${account.email}` };
        await expectDeleted(device);
        const getResponses = async ({ email }: { email: string }) => [
          observable(await client().signIn({ email, password: PASSWORD }, 'a-device')),
          observable(await client().sendResetCode({ email })),
          observable(await client().resetPassword({ email, code: '123456', newPassword: NEW_PASSWORD })),
        ];
        const responses = await getResponses(account);
        expect(responses).to.deep.equal(await getResponses(unknown));
        expect(responses.map(({ status }) => status)).to.deep.equal([401, 200, 400]);
        const mails = (await service().queuedMails()).filter(
          (mail) => 'to' in mail && mail.to === account.email,
        );
        expect(mails).to.deep.equal([]);
      });

      it('frees the address for a new account, which inherits nothing', async () => {
        const { account, device } = await begin();
        await requestCode(service(), own(), device, `new-${account.email}`);
        await expectDeleted(device);
        const next = await client().createAccount({ email: account.email, password: NEW_PASSWORD });
        expect(next.userId).not.to.equal(account.userId);
        const signedIn = await client().openDevice(next);
        expect((await client().me(signedIn)).body.user).to.include({ isEmailVerified: false });
        expect((await client().me(signedIn)).body.profile).to.include({ firstName: null });
        const late = await client().signIn({ email: account.email, password: PASSWORD }, device.fingerprint);
        expectError(late, 401, 'INVALID_CREDENTIALS');
        await client().expectSignedOut(device);
      });

      it('does not accept codes from before it', async () => {
        const { account, device } = await begin();
        const { email } = account;
        await client().sendVerificationCode(device);
        const verification = await service().codeFor(email);
        await client().sendResetCode({ email });
        const code = await service().codeFor(email);
        await expectDeleted(device);
        expectError(await client().verifyEmail(device, { code: verification }), 401, 'TOKEN_INVALID');
        expectError(
          await client().resetPassword({ email, code, newPassword: NEW_PASSWORD }),
          400,
          'CODE_INVALID',
        );
        const next = await client().createAccount({ email });
        expectError(
          await client().resetPassword({ email, code, newPassword: NEW_PASSWORD }),
          400,
          'CODE_INVALID',
        );
        await client().openDevice(next);
      });

      it('requires the current password, and is throttled like a sign-in', async () => {
        const { account, device } = await begin();
        expectError(await own().deleteAccount(device, {}), 400, 'VALIDATION_FAILED', '/body/currentPassword');
        for (let round = 0; round < 5; round += 1)
          expectError(
            await own().deleteAccount(device, { currentPassword: WRONG_PASSWORD }),
            400,
            'CURRENT_PASSWORD_WRONG',
          );
        expectError(await own().deleteAccount(device), 429, 'RATE_LIMITED');
        expect(await service().outboxFor(account.email)).to.deep.equal([]);
        await client().expectSignedIn(device);
      });
    });

  for (const role of PLATFORM_ROLES)
    it(`is refused to the platform role ${role}, whatever the kind`, async () => {
      const user = await records.user([role, 'CUSTOMER']);
      for (const kind of [ADMINISTRATOR, CUSTOMER]) {
        const client = service().client(kind);
        const device = await client.openDevice(user);
        const response = await createOwnAccountClient(client).deleteAccount(device);
        expectError(response, 409, 'PLATFORM_ROLE_TAKEN');
        expect(parseSetCookies(response)).to.deep.equal([]);
        await client.expectSignedIn(device);
      }
      expect(await service().outboxFor(user.email)).to.deep.equal([]);
      expect(await records.auditOf(user.id)).to.deep.equal([]);
    });

  it('keeps projects and teams with an anonymous owner and member', async () => {
    const user = await records.user(['EMPLOYEE']);
    const projectId = await records.project({ ownerId: user.id });
    const teamId = await records.team();
    await records.member(teamId, { role: 'ADMINISTRATOR' });
    await records.query(
      "insert into team_members (team_id, employee_id, role, status) values ($1, $2, 'ADMINISTRATOR', 'ACTIVE')",
      [teamId, user.employeeId],
    );
    const client = service().client(EMPLOYEE);
    const response = await createOwnAccountClient(client).deleteAccount(await client.openDevice(user));
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

  it('is refused to the last administrator of a team, and changes nothing', async () => {
    const user = await records.user(['EMPLOYEE']);
    const teamId = await records.team();
    await records.member(teamId);
    await records.query(
      "insert into team_members (team_id, employee_id, role, status) values ($1, $2, 'ADMINISTRATOR', 'ACTIVE')",
      [teamId, user.employeeId],
    );
    const client = service().client(EMPLOYEE);
    const device = await client.openDevice(user);
    const own = createOwnAccountClient(client);
    expectError(await own.deleteAccount(device), 409, 'LAST_TEAM_ADMINISTRATOR');
    await client.expectSignedIn(device);
    expect(await service().outboxFor(user.email)).to.deep.equal([]);
  });

  it('removes the accounts of both kinds of a user', async () => {
    const user = await records.user(['CUSTOMER', 'EMPLOYEE']);
    const [customer, employee] = [CUSTOMER, EMPLOYEE].map((kind) => service().client(kind));
    if (!customer || !employee) throw new Error('There are two clients');
    const device = await customer.openDevice(user);
    const other = await employee.openDevice(user);
    expect((await createOwnAccountClient(customer).deleteAccount(device)).status).to.equal(204);
    await employee.expectSignedOut(other);
    expectError(await employee.signIn(user, 'a-device'), 401, 'INVALID_CREDENTIALS');
  });
});
