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
  const readAsAdmin = async (path: string) => {
    const response = await send(platform().gatewayUrl, 'GET', `/api/v1${path}`, { headers: bearer(admin) });
    expect(response.status, response.text).to.equal(200);
    return response.body;
  };
  const deleteAccount = (client: FactorClient, device: Device, proof = {}) =>
    client.as(device, 'POST', '/account/delete', { currentPassword: PASSWORD, ...proof });

  for (const kind of [CUSTOMER, EMPLOYEE, ADMINISTRATOR])
    describe(`of ${kind.plural}`, () => {
      const setUp = async () => {
        const client = createValidatingClient(platform().gatewayUrl, kind);
        const account = await createAccount(client, platform().records);
        const device = await client.auth.openDevice(account);
        const changeEmail = (newEmail: string) =>
          client.as(device, 'POST', '/email/change', { newEmail, currentPassword: PASSWORD });
        return { client, account, device, changeEmail };
      };

      it('changes the e-mail with a code to the new address; the other sessions end', async () => {
        const { client, account, device, changeEmail } = await setUp();
        const { email, password } = account;
        const other = await client.auth.openDevice(account);
        const newEmail = uniqueEmail();
        const sent = await changeEmail(newEmail.toUpperCase());
        expect(sent.body, sent.text).to.deep.equal({ expiresIn: 900, resendIn: 120 });
        const code = codeIn(await inbox.untilMail(newEmail, CODE_SUBJECT));
        await inbox.untilMail(email, 'A change of your e-mail address was requested');
        const changed = await client.as(device, 'POST', '/email/change/check', { code });
        expect(changed.body.user, changed.text).to.include({ email: newEmail, isEmailVerified: true });
        expectError(await client.auth.me(other), 401, 'TOKEN_INVALID');
        expectError(await client.auth.signIn({ email, password }, 'device'), 401, 'INVALID_CREDENTIALS');
        await client.auth.openDevice({ email: newEmail, password });
        await inbox.untilMail(email, 'Your e-mail address was changed');
        const actions = ['EMAIL_CHANGE_REQUESTED', 'EMAIL_CHANGED'];
        expect(await readActions(platform().records, account)).to.include.members(actions);
        expect((await readAsAdmin(`/users/${account.userId}`)).email).to.equal(newEmail);
      });

      it('mails a notice in place of a code to an address that has an account', async () => {
        const { client, device, changeEmail } = await setUp();
        const taken = await createAccount(client, platform().records);
        const sent = await changeEmail(taken.email);
        expect(sent.body, sent.text).to.deep.equal({ expiresIn: 900, resendIn: 120 });
        await inbox.untilMail(taken.email, 'Your e-mail address already has an account');
        expect(await inbox.mailsTo(taken.email)).to.have.lengthOf(1);
        const guess = await client.as(device, 'POST', '/email/change/check', { code: '123456' });
        expectError(guess, 400, 'CODE_INVALID');
      });

      it('exports what is stored about the user, with the second factors', async () => {
        const { client, account, device } = await setUp();
        await client.enableTotp(device);
        await client.addPasskey(device, { name: 'Laptop' });
        const { status, text, body, headers } = await client.as(device, 'GET', '/account/export');
        expect(status, text).to.equal(200);
        expect(body.user).to.include({ id: account.userId, email: account.email });
        expect(body.sessions[0].fingerprint).to.equal(device.fingerprint);
        expect(body.secondFactor).to.deep.include({ recoveryCodesLeft: 10 });
        expect(body.secondFactor.passkeys[0].name).to.equal('Laptop');
        expect(headers['cache-control']).to.equal('no-store');
        expect(await readActions(platform().records, account)).to.include('ACCOUNT_EXPORTED');
      });
    });

  for (const kind of [CUSTOMER, EMPLOYEE])
    it(`can be deleted with the second factor of one of the ${kind.plural}, and stays anonymous for an ADMIN`, async () => {
      const { gatewayUrl, records } = platform();
      const client = createValidatingClient(gatewayUrl, kind);
      const { userId, email, password } = await client.auth.createAccount({ firstName: 'Grace' });
      await records.verifyEmail(userId);
      const project = await records.project({ ownerId: userId });
      const device = await client.auth.openDevice({ email, password });
      const { recoveryCodes } = await client.enableTotp(device);
      expectError(await deleteAccount(client, device), 400, 'VALIDATION_FAILED');
      const deleted = await deleteAccount(client, device, { recoveryCode: recoveryCodes[0] });
      expect(deleted.status, deleted.text).to.equal(204);
      expect(parseSetCookies(deleted)[0]).to.include({ name: kind.refreshCookie, value: '' });
      await client.auth.expectSignedOut(device);
      expectError(await client.auth.signIn({ email, password }, 'device'), 401, 'INVALID_CREDENTIALS');
      await inbox.untilMail(email, 'Your account was deleted');
      await client.auth.openDevice(await client.auth.createAccount({ email }));

      const owner = { id: userId, email: 'deleted', firstName: null, lastName: null };
      expect((await readAsAdmin(`/projects/${project}`)).owner).to.deep.equal(owner);
      expect(await readAsAdmin(`/users/${userId}`)).to.deep.include({
        email: 'deleted',
        profile: { customer: null, employee: null },
      });
      const { data } = await readAsAdmin(`/administrator/audit-log?targetId=${userId}`);
      expect(data[0].action).to.equal('ACCOUNT_DELETED');
      expect(JSON.stringify(data), 'the address in an audit record').not.to.include(email);
    });

  it('needs another administrator of the team before it is deleted', async () => {
    const { records, gatewayUrl } = platform();
    const client = createValidatingClient(gatewayUrl, EMPLOYEE);
    const teamId = await records.team({ status: 'ACTIVE' });
    const account = await client.auth.createAccount();
    const device = await client.auth.openDevice(account);
    const text = `insert into team_members (team_id, employee_id, role, status) values ($1, $2, 'ADMINISTRATOR', 'ACTIVE')`;
    await records.query(text, [teamId, account.profileId]);
    expectError(await deleteAccount(client, device), 409, 'LAST_TEAM_ADMINISTRATOR');
    await records.member(teamId, { role: 'ADMINISTRATOR' });
    expect((await deleteAccount(client, device)).status).to.equal(204);
    const { members } = await readAsAdmin(`/administrator/teams/${teamId}`);
    const isFormer = ({ employeeId }: { employeeId: string }) => employeeId === account.profileId;
    expect(members.find(isFormer)).to.deep.include({ role: 'ADMINISTRATOR', status: 'REMOVED' });
    expect(JSON.stringify(members)).not.to.include(account.email);
  });
});
