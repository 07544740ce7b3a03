import { CUSTOMER, createAuthClient, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { addKind, composeAuthService, useAuthService } from '../../testing/auth-service.ts';

const NEW_PASSWORD = 'A better horse 2';

describe('e-mail code separation', () => {
  const service = useAuthService();
  const client = () => service().as('customer');
  const other = () => service().as('employee');
  const createUser = async () => {
    const account = await client().createAccount();
    await addKind(service().records, account.userId, EMPLOYEE.kind);
    return account;
  };

  it('rejects a verification code for a password reset', async () => {
    const { account, device } = await client().createAccountAndDevice();
    expect((await client().verificationEmailCode(device)).status).to.equal(200);
    const { email } = account;
    const code = await service().mails.codeFor(email);
    const reset = { email, code, newPassword: NEW_PASSWORD };
    expectError(await client().resetPasswordEmailCode({ body: reset }), 400, 'CODE_INVALID');
    expect((await client().verificationEmailCodeCheck({ ...device, body: { code } })).status).to.equal(200);
  });

  it('rejects a reset code for a verification', async () => {
    const account = await client().createAccount();
    const { email } = account;
    const device = await client().openDevice(account);
    const code = await service().as('customer').requestResetCode(email);
    expectError(
      await client().verificationEmailCodeCheck({ ...device, body: { code } }),
      400,
      'CODE_INVALID',
    );
    expect(
      (await client().resetPasswordEmailCode({ body: { email, code, newPassword: NEW_PASSWORD } })).status,
    ).to.equal(204);
  });

  it('counts wrong attempts of each purpose separately', async () => {
    const account = await client().createAccount();
    const { email } = account;
    const device = await client().openDevice(account);
    const code = await service().as('customer').requestResetCode(email);
    expect((await client().verificationEmailCode(device)).status).to.equal(200);
    for (let round = 0; round < 6; round += 1)
      await client().verificationEmailCodeCheck({ ...device, body: { code } });
    expect(
      (await client().resetPasswordEmailCode({ body: { email, code, newPassword: NEW_PASSWORD } })).status,
    ).to.equal(204);
  });

  it("rejects the verification code of the user's other kind", async () => {
    const account = await createUser();
    const [device, otherDevice] = [await client().openDevice(account), await other().openDevice(account)];
    const code = await service().as('customer').requestVerificationCode(device, account.email);
    expectError(
      await other().verificationEmailCodeCheck({ ...otherDevice, body: { code } }),
      400,
      'CODE_INVALID',
    );
    // The resend lock of the other kind is separate, too.
    expect((await other().verificationEmailCode(otherDevice)).status).to.equal(200);
    expect((await client().verificationEmailCodeCheck({ ...device, body: { code } })).status).to.equal(200);
  });

  it("rejects the reset code of the user's other kind", async () => {
    const { email } = await createUser();
    const code = await service().as('customer').requestResetCode(email);
    const reset = { email, code, newPassword: NEW_PASSWORD };
    expectError(await other().resetPasswordEmailCode({ body: reset }), 400, 'CODE_INVALID');
    expect((await other().resetPasswordEmailCodeSend({ body: { email } })).status).to.equal(200);
    expect((await client().resetPasswordEmailCode({ body: reset })).status).to.equal(204);
  });

  it('rejects the reset code of another e-mail', async () => {
    const [one, another] = [await client().createAccount(), await client().createAccount()];
    for (const { email } of [one, another])
      expect((await client().resetPasswordEmailCodeSend({ body: { email } })).status).to.equal(200);
    const [code, othersCode] = [
      await service().mails.codeFor(one.email),
      await service().mails.codeFor(another.email),
    ];
    if (code !== othersCode)
      expectError(
        await client().resetPasswordEmailCode({
          body: { email: another.email, code, newPassword: NEW_PASSWORD },
        }),
        400,
        'CODE_INVALID',
      );
    await client().openDevice(another);
  });

  it('rejects the code of a process with another secret', async () => {
    const { email } = await client().createAccount();
    const code = await service().as('customer').requestResetCode(email);
    const otherService = await composeAuthService(service().databaseUrl, {
      ...service().environment,
      CODE_SECRET_KEY: 'another-code-secret-of-the-tests-000000002',
    });
    try {
      const reset = { email, code, newPassword: NEW_PASSWORD };
      expectError(
        await createAuthClient(otherService.url, CUSTOMER).resetPasswordEmailCode({ body: reset }),
        400,
        'CODE_INVALID',
      );
    } finally {
      await otherService.stop();
    }
  });
});
