import { ALL_KINDS, CUSTOMER } from '@platform/shared/testing/auth-client';
import { CONFIRMATION, PASSWORD, uniqueEmail, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { useRecords } from '@platform/shared/testing/records';
import { expectError, observable } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { breakMailQueue } from '../../testing/mails.ts';

describe('e-mail change', () => {
  const service = useAuthService();
  const records = useRecords(() => service().databaseUrl);

  const queuedFor = async (email: string) => await service().mails.queuedFor(email);
  const actionsOf = async (userId: string) =>
    (await records.auditOf(userId)).map(({ action, actorId, details }) => ({ action, actorId, details }));

  const client = () => service().as('customer');
  const own = () => client();
  const begin = async () => {
    const account = await client().createAccount();
    await records.query("update users set language = 'de' where id = $1", [account.userId]);
    return { account, device: await client().openDevice(account), newEmail: uniqueEmail() };
  };

  it('mails a code to the new address and a notice to the current one', async () => {
    const { account, device, newEmail } = await begin();
    const response = await own().emailChange({
      ...device,
      body: { newEmail, ...CONFIRMATION },
      headers: { 'Accept-Language': 'en' },
    });
    expect(response.status, response.text).to.equal(200);
    expect(response.body).to.deep.equal({ newEmail, expiresIn: 900, resendIn: 120 });
    const [mail, ...others] = await queuedFor(newEmail);
    expect(mail).to.include({ template: 'email-change-code', language: 'de' });
    expect(others).to.deep.equal([]);
    const [notice, ...notices] = await service().mails.outboxFor(account.email);
    expect(notice).to.include({ template: 'email-change-requested', language: 'de' });
    expect(notices).to.deep.equal([]);
    expect(await service().mails.outboxFor(newEmail)).to.deep.equal([]);
    expect(await actionsOf(account.userId)).to.deep.equal([
      { action: 'EMAIL_CHANGE_REQUESTED', actorId: account.userId, details: { kind: CUSTOMER.kind } },
    ]);
    expect((await client().me(device)).body.user.email).to.equal(account.email);
  });

  it('returns 409 for an address that was taken meanwhile', async () => {
    const { device, newEmail } = await begin();
    const code = await own().requestEmailChangeCode(device, newEmail);
    await records.user(['CUSTOMER'], { email: newEmail });
    expectError(await own().emailChangeCheck({ ...device, body: { code } }), 409, 'EMAIL_TAKEN');
  });

  it('changes and verifies the address with the code, and ends the other sessions', async () => {
    const { account, device, newEmail } = await begin();
    const other = await client().openDevice(account);
    const code = await own().requestEmailChangeCode(
      device,
      newEmail.toUpperCase().replace('EXAMPLE', 'Example'),
    );
    const response = await own().emailChangeCheck({ ...device, body: { code } });
    expect(response.status, response.text).to.equal(200);
    const { user } = (await client().me(device)).body;
    expect(user).to.include({ email: newEmail, isEmailVerified: true });
    expect(response.body).to.deep.equal({ user });

    await client().expectSignedIn(device);
    await client().expectSignedOut(other);
    const { email: formerEmail, password } = account;
    await client().expectNoSignIn({ email: formerEmail, password });
    await client().openDevice({ email: newEmail, password });

    const notices = await service().mails.outboxFor(formerEmail);
    expect(notices.map(({ template }) => template)).to.deep.equal([
      'email-change-requested',
      'email-changed',
    ]);
    expect(notices[1]).to.include({ language: 'de' });
    expect(await service().mails.outboxFor(newEmail)).to.deep.equal([]);
    const actions = await actionsOf(account.userId);
    expect(actions.map(({ action }) => action)).to.deep.equal(['EMAIL_CHANGE_REQUESTED', 'EMAIL_CHANGED']);
    expect(JSON.stringify(actions)).not.to.match(/@|example/);
  });

  it('returns the same response for a taken address, whose owner gets a notice', async () => {
    const { account, device, newEmail } = await begin();
    const { email: taken } = await client().createAccount();
    const other = await begin();
    const known = await own().emailChange({ ...device, body: { newEmail: taken, ...CONFIRMATION } });
    const unknown = await own().emailChange({
      ...other.device,
      body: { newEmail, ...CONFIRMATION },
    });
    expect(known.status).to.equal(200);
    const withoutAddress = ({ body, ...response }: typeof known) => ({
      ...observable({ ...response, body, text: JSON.stringify({ ...body, newEmail: '' }) }),
      headers: { ...response.headers, 'content-length': '', 'x-request-id': '', date: '' },
    });
    expect(withoutAddress(known)).to.deep.equal(withoutAddress(unknown));
    expect([known.body.newEmail, unknown.body.newEmail]).to.deep.equal([taken, newEmail]);
    expect(await queuedFor(taken)).to.deep.equal([
      { template: 'email-change-taken', to: taken, language: 'en' },
    ]);
    const notices = await service().mails.outboxFor(account.email);
    expect(notices.map(({ template }) => template)).to.deep.equal(['email-change-requested']);
    const again = await own().emailChange({ ...device, body: { newEmail: taken, ...CONFIRMATION } });
    expect(observable(again)).to.deep.equal(
      observable(await own().emailChange({ ...other.device, body: { newEmail, ...CONFIRMATION } })),
    );
    expectError(again, 429, 'RESEND_LOCKED');
  });

  it('returns 400 with the field for the current address in any letter case', async () => {
    const { account, device } = await begin();
    for (const email of [account.email, account.email.toUpperCase()])
      expectError(
        await own().emailChange({ ...device, body: { newEmail: email, ...CONFIRMATION } }),
        400,
        'VALIDATION_FAILED',
        '/body/newEmail',
      );
    expect(await service().mails.outboxFor(account.email)).to.deep.equal([]);
  });

  it('returns 400 for a wrong current password, and mails nothing', async () => {
    const { account, device, newEmail } = await begin();
    const response = await own().emailChange({
      ...device,
      body: { newEmail, currentPassword: WRONG_PASSWORD },
      headers: {},
    });
    expectError(response, 400, 'CURRENT_PASSWORD_WRONG');
    expect(await queuedFor(newEmail)).to.deep.equal([]);
    expect(await service().mails.outboxFor(account.email)).to.deep.equal([]);
    expect(await actionsOf(account.userId)).to.deep.equal([]);
    // No code was sent, so there is no resend lock.
    await own().requestEmailChangeCode(device, newEmail);
  });

  it('returns 401 for the token of another kind and after a sign-out', async () => {
    const { device, newEmail } = await begin();
    const foreign = service().as('employee');
    expectError(
      await foreign.emailChange({ ...device, body: { newEmail, ...CONFIRMATION } }),
      401,
      'TOKEN_INVALID',
    );
    expectError(
      await foreign.emailChangeCheck({ ...device, body: { code: '123456' } }),
      401,
      'TOKEN_INVALID',
    );
    await client().signOut(device);
    expectError(
      await own().emailChange({ ...device, body: { newEmail, ...CONFIRMATION } }),
      401,
      'TOKEN_INVALID',
    );
    expectError(await own().emailChangeCheck({ ...device, body: { code: '123456' } }), 401, 'TOKEN_INVALID');
  });

  it('requires an allowed domain of platform roles, before it compares the password', async () => {
    const user = await records.user(['CUSTOMER', 'EMPLOYEE', 'OPERATOR']);
    for (const kind of ALL_KINDS) {
      const client = service().as(kind);
      const device = await client.openDevice(user);
      for (const password of [PASSWORD, WRONG_PASSWORD])
        for (const domain of ['evil.example', 'sub.example.com', 'example.com.evil.example']) {
          const newEmail = uniqueEmail().replace('example.com', domain);
          const response = await client.emailChange({
            ...device,
            body: { newEmail, currentPassword: password },
            headers: {},
          });
          expectError(response, 403, 'DOMAIN_NOT_ALLOWED');
        }
    }
    const client = service().as('employee');
    const device = await client.createDevice();
    const other = uniqueEmail().replace('example.com', 'other.example');
    await client.requestEmailChangeCode(device, other);
  });

  it('requires an allowed domain again at the confirmation, after a platform role was assigned', async () => {
    const own = client();
    const { account, device } = await client().createAccountAndDevice();
    const newEmail = uniqueEmail().replace('example.com', 'other.example');
    const code = await own.requestEmailChangeCode(device, newEmail);
    await service().records.giveRole(account.userId, 'OPERATOR');
    expectError(await own.emailChangeCheck({ ...device, body: { code } }), 403, 'DOMAIN_NOT_ALLOWED');
    expect((await client().me(device)).body.user.email).to.equal(account.email);
  });
});

describe('e-mail change without Redis', () => {
  const service = useAuthService({ REDIS_URL: 'redis://127.0.0.1:1' });

  it('returns 503 and mails nothing, while a deletion succeeds', async () => {
    const client = service().as('customer');
    const own = client;
    const { account, device } = await client.createAccountAndDevice();
    const newEmail = uniqueEmail();
    expectError(
      await own.emailChange({ ...device, body: { newEmail, ...CONFIRMATION } }),
      503,
      'SERVICE_UNAVAILABLE',
    );
    expectError(
      await own.emailChangeCheck({ ...device, body: { code: '123456' } }),
      503,
      'SERVICE_UNAVAILABLE',
    );
    expect(await service().mails.outboxFor(account.email)).to.deep.equal([]);
    expect((await client.me(device)).body.user.email).to.equal(account.email);
    expect((await own.accountDelete({ ...device, body: CONFIRMATION })).status).to.equal(204);
  });
});

describe('e-mail change when only the mail queue fails', () => {
  const service = useAuthService();

  it('returns 503, and leaves neither a notice nor a lock nor a code', async () => {
    const { redis } = service();
    const client = service().as('customer');
    const own = client;
    const { account, device } = await client.createAccountAndDevice();
    const newEmail = uniqueEmail();
    const before = Object.keys(await redis.dump());
    const repair = await breakMailQueue(redis);
    expectError(
      await own.emailChange({ ...device, body: { newEmail, ...CONFIRMATION } }),
      503,
      'SERVICE_UNAVAILABLE',
    );
    await repair();
    const left = Object.keys(await redis.dump()).filter((key) => !before.includes(key));
    expect(left.filter((key) => !key.startsWith('bull:'))).to.deep.equal([]);
    expect(await service().mails.outboxFor(account.email)).to.deep.equal([]);

    const code = await own.requestEmailChangeCode(device, newEmail);
    expect((await own.emailChangeCheck({ ...device, body: { code } })).status).to.equal(200);
    await client.openDevice({ email: newEmail, password: PASSWORD });
  });
});
