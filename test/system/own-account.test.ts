import { ADMINISTRATOR, bearer, CUSTOMER, type Device, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { parseSetCookies } from '@platform/shared/testing/http-client';
import { codeIn, createInboxClient, type InboxClient } from '@platform/shared/testing/inbox';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import type { FactorClient } from '../factor-client.ts';
import { createAccount, createValidatingClient, readActions } from './use-factors.ts';
import { usePlatform } from './use-platform.ts';

const CODE_SUBJECT = 'Your code to confirm this e-mail address';

describe("the user's own account through the gateway", () => {
  const platform = usePlatform();
  let inbox: InboxClient;
  let admin: Device;
  before('sign in an ADMIN', async () => {
    const { stack, records, gatewayUrl } = platform();
    inbox = createInboxClient(stack.inboxUrl);
    const admins = createValidatingClient(gatewayUrl, ADMINISTRATOR);
    admin = await admins.auth.openDevice(await createAccount(admins, records));
  });
  const read = async (path: string) => {
    const response = await send(platform().gatewayUrl, 'GET', `/api/v1${path}`, { headers: bearer(admin) });
    expect(response.status, response.text).to.equal(200);
    return response.body;
  };
  const setUp = async (client: FactorClient) => {
    const account = await createAccount(client, platform().records);
    return { client, account, device: await client.auth.openDevice(account) };
  };
  const changeEmail = (client: FactorClient, device: Device, newEmail: string) =>
    client.as(device, 'POST', '/email/change', { newEmail, currentPassword: PASSWORD });
  const deleteAccount = (client: FactorClient, device: Device, proof = {}) =>
    client.as(device, 'POST', '/account/delete', { currentPassword: PASSWORD, ...proof });

  for (const kind of [CUSTOMER, EMPLOYEE, ADMINISTRATOR])
    describe(`of ${kind.plural}`, () => {
      const client = () => createValidatingClient(platform().gatewayUrl, kind);

      it('changes the e-mail with a code to the new address; the other sessions end', async () => {
        const { account, device } = await setUp(client());
        const other = await client().auth.openDevice(account);
        const newEmail = uniqueEmail();
        const sent = await changeEmail(client(), device, newEmail.toUpperCase());
        expect(sent.body, sent.text).to.deep.equal({ expiresIn: 900, resendIn: 120 });
        const code = codeIn(await inbox.untilMail(newEmail, CODE_SUBJECT));
        await inbox.untilMail(account.email, 'A change of your e-mail address was requested');
        const changed = await client().as(device, 'POST', '/email/change/check', { code });
        expect(changed.body.user, changed.text).to.include({ email: newEmail, isEmailVerified: true });
        expect((await client().auth.me(device)).body.user).to.deep.equal(changed.body.user);
        expectError(await client().auth.me(other), 401, 'TOKEN_INVALID');
        const { password } = account;
        expectError(
          await client().auth.signIn({ email: account.email, password }, 'device'),
          401,
          'INVALID_CREDENTIALS',
        );
        await client().auth.openDevice({ email: newEmail, password });
        await inbox.untilMail(account.email, 'Your e-mail address was changed');
        expect(await readActions(platform().records, account)).to.include.members([
          'EMAIL_CHANGE_REQUESTED',
          'EMAIL_CHANGED',
        ]);
        expect((await read(`/users/${account.userId}`)).email).to.equal(newEmail);
      });

      it('mails a notice in place of a code to an address that has an account', async () => {
        const { device } = await setUp(client());
        const taken = await createAccount(client(), platform().records);
        const sent = await changeEmail(client(), device, taken.email);
        expect(sent.body, sent.text).to.deep.equal({ expiresIn: 900, resendIn: 120 });
        await inbox.untilMail(taken.email, 'Your e-mail address already has an account');
        expect(await inbox.mailsTo(taken.email)).to.have.lengthOf(1);
        const guess = await client().as(device, 'POST', '/email/change/check', { code: '123456' });
        expectError(guess, 400, 'CODE_INVALID');
      });

      it('is exported with everything that is stored about the user, and no secret', async () => {
        const { account, device } = await setUp(client());
        await client().enableTotp(device);
        await client().addPasskey(device, { name: 'Laptop' });
        const exported = await client().as(device, 'GET', '/account/export');
        const { user, sessions, secondFactor, auditRecords } = exported.body;
        expect(exported.status, exported.text).to.equal(200);
        expect(user).to.include({ id: account.userId, email: account.email });
        expect(sessions).to.have.lengthOf(1);
        expect(sessions[0].fingerprint).to.equal(device.fingerprint);
        expect(secondFactor).to.deep.include({ recoveryCodesLeft: 10 });
        expect(secondFactor.passkeys[0].name).to.equal('Laptop');
        expect(auditRecords.map(({ action }: { action: string }) => action)).to.include('TOTP_ENABLED');
        expect(exported.headers['cache-control']).to.equal('no-store');
        expect(await readActions(platform().records, account)).to.include('ACCOUNT_EXPORTED');
      });
    });

  for (const kind of [CUSTOMER, EMPLOYEE])
    describe(`deleted by one of the ${kind.plural}`, () => {
      const client = () => createValidatingClient(platform().gatewayUrl, kind);

      it('signs out every device, frees the address, and is audited and mailed', async () => {
        const { account, device } = await setUp(client());
        const other = await client().auth.openDevice(account);
        const deleted = await deleteAccount(client(), device);
        expect(deleted.status, deleted.text).to.equal(204);
        const [cookie] = parseSetCookies(deleted);
        expect(cookie).to.include({ name: kind.refreshCookie, value: '' });
        for (const each of [device, other]) await client().auth.expectSignedOut(each);
        const { email, password } = account;
        expectError(await client().auth.signIn({ email, password }, 'device'), 401, 'INVALID_CREDENTIALS');
        await inbox.untilMail(email, 'Your account was deleted');
        const again = await client().auth.createAccount({ email });
        expect(again.userId).not.to.equal(account.userId);
        await client().auth.openDevice(again);
        const records = await platform().records.auditOf(account.userId);
        expect(records.map(({ action }) => action)).to.include('ACCOUNT_DELETED');
        expect(JSON.stringify(records), 'the address in an audit record').not.to.include(email);
      });

      it('needs the second factor of the user', async () => {
        const { account, device } = await setUp(client());
        const { recoveryCodes } = await client().enableTotp(device);
        expectError(await deleteAccount(client(), device), 400, 'VALIDATION_FAILED');
        const deleted = await deleteAccount(client(), device, { recoveryCode: recoveryCodes[0] });
        expect(deleted.status, deleted.text).to.equal(204);
        const { query } = platform().records;
        for (const table of ['totp_factors', 'recovery_codes', 'passkeys', 'sessions', 'token_records'])
          expect(await query(`select 1 from ${table} where user_id = $1`, [account.userId]), table).to.be
            .empty;
      });
    });

  it('shows a deleted customer as "deleted" in lists and cards, and keeps the projects', async () => {
    const client = createValidatingClient(platform().gatewayUrl, CUSTOMER);
    const account = await client.auth.createAccount({
      firstName: 'Grace',
      lastName: 'Hopper',
      phone: '+1 555',
    });
    const title = `Compiler ${account.userId}`;
    const project = await platform().records.project({ ownerId: account.userId, title });
    expect((await deleteAccount(client, await client.auth.openDevice(account))).status).to.equal(204);
    const owner = { id: account.userId, email: 'deleted', firstName: null, lastName: null };
    expect((await read(`/projects/${project}`)).owner).to.deep.equal(owner);
    const { data } = await read(`/projects?search=${account.userId}`);
    expect(data.map((found: { owner: object }) => found.owner)).to.deep.equal([owner]);
    const user = await read(`/users/${account.userId}`);
    expect(user).to.include({ id: account.userId, email: 'deleted' });
    expect(user.profile).to.deep.equal({ customer: null, employee: null });
    expect((await read(`/users?search=${account.email}`)).total).to.equal(0);
    const { data: records } = await read(`/administrator/audit-log?targetId=${account.userId}`);
    expect(records[0].action).to.equal('ACCOUNT_DELETED');
  });

  it('leaves an anonymous former member in a team, which keeps an administrator', async () => {
    const { records, gatewayUrl } = platform();
    const client = createValidatingClient(gatewayUrl, EMPLOYEE);
    const teamId = await records.team({ status: 'ACTIVE' });
    const account = await client.auth.createAccount({ firstName: 'Grace', lastName: 'Hopper' });
    const device = await client.auth.openDevice(account);
    const text = `insert into team_members (team_id, employee_id, role, status) values ($1, $2, 'ADMINISTRATOR', 'ACTIVE')`;
    await records.query(text, [teamId, account.profileId]);
    expectError(await deleteAccount(client, device), 409, 'LAST_TEAM_ADMINISTRATOR');
    expect((await client.auth.me(device)).status).to.equal(200);
    await records.member(teamId, { role: 'ADMINISTRATOR' });
    expect((await deleteAccount(client, device)).status).to.equal(204);
    const team = await read(`/administrator/teams/${teamId}`);
    const member = team.members.find(
      ({ employeeId }: { employeeId: string }) => employeeId === account.profileId,
    );
    expect(member).to.deep.include({ role: 'ADMINISTRATOR', status: 'REMOVED' });
    expect(JSON.stringify(team))
      .not.to.match(/Grace|Hopper/)
      .and.not.to.include(account.email);
  });

  it('cannot be deleted by who holds a platform role', async () => {
    const client = createValidatingClient(platform().gatewayUrl, ADMINISTRATOR);
    const { device } = await setUp(client);
    expectError(await deleteAccount(client, device), 409, 'PLATFORM_ROLE_TAKEN');
    expect((await client.auth.me(device)).status).to.equal(200);
  });

  it('can be deleted and exported by a user with two kinds, at once for both', async () => {
    const { records, gatewayUrl } = platform();
    const { id, email, password } = await records.user(['CUSTOMER', 'EMPLOYEE']);
    const [customers, employees] = [CUSTOMER, EMPLOYEE].map((kind) =>
      createValidatingClient(gatewayUrl, kind),
    );
    if (!customers || !employees) throw new Error('Two clients are required');
    const account = { email, password };
    const [one, other] = [await customers.auth.openDevice(account), await employees.auth.openDevice(account)];
    const { profiles } = (await customers.as(one, 'GET', '/account/export')).body;
    expect([profiles.customer.userId, profiles.employee.userId]).to.deep.equal([id, id]);
    expect((await deleteAccount(customers, one)).status).to.equal(204);
    expectError(await employees.auth.me(other), 401, 'TOKEN_INVALID');
    expectError(await employees.auth.signIn(account, 'device'), 401, 'INVALID_CREDENTIALS');
  });
});
