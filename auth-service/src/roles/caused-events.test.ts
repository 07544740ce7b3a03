import { NO_LOG } from '@platform/shared/db/command-database';
import { connectDatabase } from '@platform/shared/db/database';
import { ADMINISTRATOR, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { CONFIRMATION, PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { useRecords } from '@platform/shared/testing/records';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { newPerson, useProvider } from '../../testing/provider.ts';
import { createRoleService } from '../roles/roles-service.ts';
import { bindStores } from '../stores.ts';

const event = (type: string, data = {}) => ({ type, data });
const created = (kind: string, isEmailVerified = false) => event('user.created', { kind, isEmailVerified });
const NEW_PASSWORD = 'A better horse 2';

describe('events that requests to auth-service cause', () => {
  const provider = useProvider();
  const service = useAuthService(() => provider().settings);
  const records = useRecords(() => service().databaseUrl);
  const client = () => service().as('customer');
  const eventsOf = (subject: string) =>
    records.query<{ type: string; data: object }>(
      'select type, data from events where subject = $1 order by sequence',
      [subject],
    );
  /** The events after the one of the sign-up. */
  const laterEventsOf = async (subject: string) => (await eventsOf(subject)).slice(1);
  const expectOk = ({ status, text }: { status: number; text: string }) =>
    expect(status, text).to.be.within(200, 204);

  it('are a new user for a sign-up, and none for a rejected one', async () => {
    for (const kind of [CUSTOMER, EMPLOYEE]) {
      const { userId, email } = await service().as(kind).createAccount();
      const again = { email, password: PASSWORD, firstName: 'Ada' };
      expect((await send(service().url, 'POST', `${kind.path}/sign-up`, { body: again })).status).to.equal(
        409,
      );
      expect(await eventsOf(userId)).to.deep.equal([created(kind.kind)]);
    }
  });

  it('are a new user, verified if the provider may vouch, for a sign-up with a provider', async () => {
    for (const [id, isEmailVerified] of [
      ['company', true],
      ['open', false],
    ] as const) {
      const response = await provider().signInWith(service().as('customer'), id, newPerson());
      expectOk(response);
      expect(await eventsOf(response.body.user.id)).to.deep.equal([created('customer', isEmailVerified)]);
    }
  });

  it('are a verified e-mail when a provider or a code proves it, once', async () => {
    const byProvider = await client().createAccount();
    const byCode = await client().createAccountAndDevice();
    for (const _ of [1, 2])
      expectOk(await provider().signInWith(service().as('customer'), 'company', newPerson(byProvider.email)));
    const { account, device } = byCode;
    const code = await service().as('customer').requestVerificationCode(device, account.email);
    expectOk(await client().verificationEmailCodeCheck({ ...device, body: { code } }));
    expect(await laterEventsOf(account.userId)).to.deep.equal([event('user.email-verified')]);
    expect(await laterEventsOf(byProvider.userId)).to.deep.equal([
      event('user.email-verified'),
      event('user.password-changed'),
    ]);
  });

  it('are a verified e-mail and the end of the password when a sign-in by code proves the address', async () => {
    const { email, userId } = await client().createAccount();
    const body = { email, code: await service().as('customer').requestSignInCode(email) };
    expectOk(await client().signInEmailCode({ fingerprint: uniqueFingerprint(), body }));
    expect(await laterEventsOf(userId)).to.deep.equal([
      event('user.email-verified'),
      event('user.password-changed'),
    ]);
  });

  it('of a reset are a changed password, and with the first one a verified e-mail', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    expectOk(await client().resetPasswordMe({ ...device, body: change }));
    for (const newPassword of [PASSWORD, NEW_PASSWORD]) {
      const code = await service().as('customer').requestResetCode(account.email);
      const body = { email: account.email, code, newPassword };
      expectOk(await send(service().url, 'POST', `${CUSTOMER.path}/reset-password/email/code`, { body }));
      await service().redis.passTime(120);
    }
    expect((await laterEventsOf(account.userId)).map(({ type }) => type)).to.deep.equal([
      ...['user.password-changed', 'user.email-verified', 'user.password-changed', 'user.password-changed'],
    ]);
  });

  it('are a changed e-mail, whose first code verifies it, and a deleted user', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const own = client();
    for (const _ of [1, 2]) {
      expectOk(
        await own.emailChangeCheck({
          ...device,
          body: { code: await own.requestEmailChangeCode(device, uniqueEmail()) },
        }),
      );
      await service().redis.passTime(120);
    }
    expectOk(await own.accountDelete({ ...device, body: CONFIRMATION }));
    expect((await laterEventsOf(account.userId)).map(({ type }) => type)).to.deep.equal([
      ...['user.email-changed', 'user.email-verified', 'user.email-changed', 'user.deleted'],
    ]);
  });

  it('are a new user and its role for a registered administrator, and a role that is assigned', async () => {
    const registrar = await records.user(['ADMIN']);
    const { accessToken } = await service().as('administrator').openDevice(registrar);
    const registered = await send(service().url, 'POST', `${ADMINISTRATOR.path}/register`, {
      body: { email: uniqueEmail(), password: PASSWORD },
      headers: { Authorization: `Bearer ${accessToken}` },
    });
    expectOk(registered);
    expect(await eventsOf(registered.body.id)).to.deep.equal([
      created('administrator'),
      event('user.role-assigned', { role: 'ADMIN' }),
    ]);

    const { id, email } = await records.user(['CUSTOMER'], { isEmailVerified: true });
    const pool = connectDatabase({
      url: service().databaseUrl,
      applicationName: 'test',
      maxConnections: 1,
      onError: () => undefined,
    });
    const { inTransaction } = bindStores(pool.database, NO_LOG);
    const context = { requestId: 'r', address: 'a' };
    await createRoleService({ inTransaction, adminAllowedDomains: ['example.com'] }).assignRole(
      ...([email, 'OPERATOR', context] as const),
    );
    await pool.close();
    expect(await eventsOf(id)).to.deep.equal([event('user.role-assigned', { role: 'OPERATOR' })]);
  });

  it('are none for sign-ins, rejected changes and changes of sessions', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const wrong = { currentPassword: 'Wrong horse 1', newPassword: NEW_PASSWORD };
    expectError(await client().resetPasswordMe({ ...device, body: wrong }), 400, 'CURRENT_PASSWORD_WRONG');
    expectOk(await client().signOut(device));
    expect(await laterEventsOf(account.userId)).to.deep.equal([]);
  });

  it('contain neither addresses, names nor passwords', async () => {
    const [found] = await records.query<{ count: number }>(
      `select count(*)::int from events where data::text ~ '@|Ada' or data::text ~* 'horse'`,
    );
    expect(found).to.deep.equal({ count: 0 });
  });
});
