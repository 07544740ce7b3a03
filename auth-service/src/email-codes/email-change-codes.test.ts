import { CONFIRMATION, PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import type { Device, TestAccount } from '@platform/shared/testing/device';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { getAttackerAddress, getOtherCode, getWrongCodes, times } from '../../testing/mailed-codes.ts';

const NEW_PASSWORD = 'A better horse 2';

describe('e-mail change code', () => {
  const service = useAuthService();
  const client = () => service().as('customer');
  const own = () => client();
  const passTime = (seconds: number) => service().redis.passTime(seconds);
  const begin = async () => {
    const account = await client().createAccount();
    return { account, device: await client().openDevice(account), newEmail: uniqueEmail() };
  };
  type Begun = Awaited<ReturnType<typeof begin>>;
  const from = (index: number) => ({ 'X-Forwarded-For': getAttackerAddress(index) });
  const expectUnchanged = ({ email }: TestAccount) => client().openDevice({ email, password: PASSWORD });

  it('works once, for fifteen minutes, and only for the user who requested it', async () => {
    const { account, device, newEmail } = await begin();
    const code = await own().requestEmailChangeCode(device, newEmail);
    const other = await begin();
    expectError(await own().emailChangeCheck({ ...other.device, body: { code } }), 400, 'CODE_INVALID');
    await own().requestEmailChangeCode(other.device, other.newEmail);
    expectError(await own().emailChangeCheck({ ...other.device, body: { code } }), 400, 'CODE_INVALID');
    await passTime(840);
    expect((await own().emailChangeCheck({ ...device, body: { code } })).status).to.equal(200);
    expectError(await own().emailChangeCheck({ ...device, body: { code } }), 400, 'CODE_INVALID');

    const again = await own().requestEmailChangeCode(device, account.email);
    await passTime(900);
    expectError(await own().emailChangeCheck({ ...device, body: { code: again } }), 400, 'CODE_INVALID');
  });

  it('fails after five wrong attempts from a network, which do not affect another network', async () => {
    const { device, newEmail } = await begin();
    const code = await own().requestEmailChangeCode(device, newEmail);
    for (const wrong of getWrongCodes(code, 5))
      expectError(
        await own().emailChangeCheck({ ...device, body: { code: wrong }, headers: from(1) }),
        400,
        'CODE_INVALID',
      );
    expectError(
      await own().emailChangeCheck({ ...device, body: { code }, headers: from(1) }),
      400,
      'CODE_INVALID',
    );
    expect((await own().emailChangeCheck({ ...device, body: { code }, headers: from(2) })).status).to.equal(
      200,
    );
  });

  it('fails after a request for another address, which needs no wait', async () => {
    const { device, newEmail } = await begin();
    const first = await own().requestEmailChangeCode(device, newEmail);
    const second = uniqueEmail();
    const next = await own().requestEmailChangeCode(device, second);
    expectError(await own().emailChangeCheck({ ...device, body: { code: first } }), 400, 'CODE_INVALID');
    const response = await own().emailChangeCheck({ ...device, body: { code: next } });
    expect(response.body.user).to.include({ email: second });
  });

  it('stays valid when the next request is rejected', async () => {
    const { device, newEmail } = await begin();
    const code = await own().requestEmailChangeCode(device, newEmail);
    expectError(
      await own().emailChange({ ...device, body: { newEmail: newEmail.toUpperCase(), ...CONFIRMATION } }),
      429,
      'RESEND_LOCKED',
    );
    expect((await own().emailChangeCheck({ ...device, body: { code } })).body.user).to.include({
      email: newEmail,
    });
  });

  it('is not sent again to an address that was requested before another one', async () => {
    const { device, newEmail } = await begin();
    await own().requestEmailChangeCode(device, newEmail);
    const second = uniqueEmail().replace('@', '@A.');
    const response = await own().emailChange({ ...device, body: { newEmail: second, ...CONFIRMATION } });
    expect(response.body).to.deep.equal({ newEmail: second.toLowerCase(), expiresIn: 900, resendIn: 120 });
    const again = await own().emailChange({ ...device, body: { newEmail, ...CONFIRMATION } });
    expectError(again, 429, 'RESEND_LOCKED');
    expect(Number(again.headers['retry-after'])).to.be.within(1, 120);
  });

  it('does not replace the code of another user for the same address', async () => {
    const { device, newEmail } = await begin();
    const code = await own().requestEmailChangeCode(device, newEmail);
    // The wait after a code is of the user, too, who would otherwise learn of others' requests.
    const other = await begin();
    const otherCode = await own().requestEmailChangeCode(other.device, newEmail);
    expect((await own().emailChangeCheck({ ...device, body: { code } })).status).to.equal(200);
    expectError(
      await own().emailChangeCheck({ ...other.device, body: { code: otherCode } }),
      409,
      'EMAIL_TAKEN',
    );
    await expectUnchanged(other.account);
  });

  it('reaches a limit of ten an hour by a user, and ten an hour to an address', async () => {
    const { device } = await begin();
    for (const newEmail of times(10, uniqueEmail)) {
      expect((await own().emailChange({ ...device, body: { newEmail, ...CONFIRMATION } })).status).to.equal(
        200,
      );
    }
    expectError(
      await own().emailChange({ ...device, body: { newEmail: uniqueEmail(), ...CONFIRMATION } }),
      429,
      'RESEND_LOCKED',
    );

    const address = uniqueEmail();
    for (const each of times(10, begin)) {
      expect(
        (await own().emailChange({ ...(await each).device, body: { newEmail: address, ...CONFIRMATION } }))
          .status,
      ).to.equal(200);
      await passTime(120);
    }
    const employee = service().as('employee');
    const last = await employee.createDevice();
    const response = await employee.emailChange({ ...last, body: { newEmail: address, ...CONFIRMATION } });
    expectError(response, 429, 'RESEND_LOCKED');
    // The rejected request has not locked the user.
    await employee.requestEmailChangeCode(last, uniqueEmail());
  });

  it('does not lock the owner of the requested address out of a password reset', async () => {
    const { device } = await begin();
    const { email } = await client().createAccount();
    expect(
      (await own().emailChange({ ...device, body: { newEmail: email, ...CONFIRMATION } })).status,
    ).to.equal(200);
    for (const wrong of times(5, () => '000000'))
      await own().emailChangeCheck({ ...device, body: { code: wrong } });
    const code = await service().as('customer').requestResetCode(email);
    expect(
      (await client().resetPasswordEmailCode({ body: { email, code, newPassword: NEW_PASSWORD } })).status,
    ).to.equal(204);
  });

  const CANCELLATIONS: [name: string, cancel: (begun: Begun) => Promise<Device>][] = [
    [
      'a change of the password',
      async ({ device }) => {
        const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
        expect((await client().resetPasswordMe({ ...device, body: change })).status).to.equal(204);
        return device;
      },
    ],
    [
      'a reset of the password',
      async ({ account: { email } }) => {
        const reset = {
          email,
          code: await service().as('customer').requestResetCode(email),
          newPassword: NEW_PASSWORD,
        };
        expect((await client().resetPasswordEmailCode({ body: reset })).status).to.equal(204);
        return await client().openDevice({ email, password: NEW_PASSWORD });
      },
    ],
    [
      'the first verification of the present address in another session',
      async ({ account }) => {
        const other = await client().openDevice(account);
        const code = await service().as('customer').requestVerificationCode(other, account.email);
        expect((await client().verificationEmailCodeCheck({ ...other, body: { code } })).status).to.equal(
          200,
        );
        return other;
      },
    ],
    [
      'a change of the second factors',
      async ({ account, device }) => {
        await service().records.verifyEmail(account.userId);
        await client().enableTotp(device);
        return device;
      },
    ],
  ];

  for (const [name, cancel] of CANCELLATIONS)
    it(`fails after ${name}`, async () => {
      const begun = await begin();
      const code = await own().requestEmailChangeCode(begun.device, begun.newEmail);
      const left = await cancel(begun);
      expectError(await own().emailChangeCheck({ ...left, body: { code } }), 400, 'CODE_INVALID');
    });

  it('leaves neither code nor addresses in Redis, except in the mail queue', async () => {
    const { account, device, newEmail } = await begin();
    const code = await own().requestEmailChangeCode(device, newEmail);
    const entries = Object.entries(await service().redis.dump()).filter(([key]) => !key.startsWith('bull:'));
    const stored = JSON.stringify(entries);
    expect(stored).to.include('email-change:');
    expect(stored).not.to.match(new RegExp(`\\b${code}\\b`));
    for (const email of [account.email, newEmail]) expect(stored).not.to.include(email);
  });

  it('fails without a request, and for another purpose', async () => {
    const { account, device, newEmail } = await begin();
    expectError(await own().emailChangeCheck({ ...device, body: { code: '123456' } }), 400, 'CODE_INVALID');
    const code = await own().requestEmailChangeCode(device, newEmail);
    const verification = await service().as('customer').requestVerificationCode(device, account.email);
    if (verification !== code) {
      expectError(
        await own().emailChangeCheck({ ...device, body: { code: verification } }),
        400,
        'CODE_INVALID',
      );
      expectError(
        await client().verificationEmailCodeCheck({ ...device, body: { code } }),
        400,
        'CODE_INVALID',
      );
    }
    expectError(
      await own().emailChangeCheck({ ...device, body: { code: getOtherCode(code) } }),
      400,
      'CODE_INVALID',
    );
  });

  it('makes reset codes of the former address invalid', async () => {
    const { account, device, newEmail } = await begin();
    const resetCode = await service().as('customer').requestResetCode(account.email);
    const code = await own().requestEmailChangeCode(device, newEmail);
    expect((await own().emailChangeCheck({ ...device, body: { code } })).status).to.equal(200);
    const reset = { email: account.email, code: resetCode, newPassword: NEW_PASSWORD };
    expectError(await client().resetPasswordEmailCode({ body: reset }), 400, 'CODE_INVALID');
    await client().openDevice({ email: newEmail, password: PASSWORD });
  });
});
