import { CUSTOMER, type Device, EMPLOYEE, type TestAccount } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import {
  getAttackerAddress,
  getOtherCode,
  getWrongCodes,
  times,
  useCodeService,
} from '../../testing/code-service.ts';
import { createOwnAccountClient, requestCode } from '../../testing/own-account-client.ts';

const NEW_PASSWORD = 'A better horse 2';

describe('e-mail change code', () => {
  const service = useCodeService();
  const client = () => service().client(CUSTOMER);
  const own = () => createOwnAccountClient(client());
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
    const code = await requestCode(service(), own(), device, newEmail);
    const other = await begin();
    expectError(await own().confirmEmailChange(other.device, code), 400, 'CODE_INVALID');
    await requestCode(service(), own(), other.device, other.newEmail);
    expectError(await own().confirmEmailChange(other.device, code), 400, 'CODE_INVALID');
    await passTime(840);
    expect((await own().confirmEmailChange(device, code)).status).to.equal(200);
    expectError(await own().confirmEmailChange(device, code), 400, 'CODE_INVALID');

    const again = await requestCode(service(), own(), device, account.email);
    await passTime(900);
    expectError(await own().confirmEmailChange(device, again), 400, 'CODE_INVALID');
  });

  it('fails after five wrong attempts from a network, which do not affect another network', async () => {
    const { device, newEmail } = await begin();
    const code = await requestCode(service(), own(), device, newEmail);
    for (const wrong of getWrongCodes(code, 5))
      expectError(await own().confirmEmailChange(device, wrong, from(1)), 400, 'CODE_INVALID');
    expectError(await own().confirmEmailChange(device, code, from(1)), 400, 'CODE_INVALID');
    expect((await own().confirmEmailChange(device, code, from(2))).status).to.equal(200);
  });

  it('fails after the next request, also for another address', async () => {
    const { device, newEmail } = await begin();
    const first = await requestCode(service(), own(), device, newEmail);
    await passTime(120);
    const second = uniqueEmail();
    const next = await requestCode(service(), own(), device, second);
    expectError(await own().confirmEmailChange(device, first), 400, 'CODE_INVALID');
    const response = await own().confirmEmailChange(device, next);
    expect(response.body.user).to.include({ email: second });
  });

  it('stays valid when the next request is rejected', async () => {
    const { device, newEmail } = await begin();
    const code = await requestCode(service(), own(), device, newEmail);
    expectError(await own().requestEmailChange(device, uniqueEmail()), 429, 'RESEND_LOCKED');
    await passTime(120);
    const { newEmail: busy, device: other } = await begin();
    await requestCode(service(), own(), other, busy);
    expectError(await own().requestEmailChange(device, busy), 429, 'RESEND_LOCKED');
    expect((await own().confirmEmailChange(device, code)).body.user).to.include({ email: newEmail });
  });

  it('does not replace the code of another user for the same address', async () => {
    const { device, newEmail } = await begin();
    const code = await requestCode(service(), own(), device, newEmail);
    await passTime(120);
    const other = await begin();
    const otherCode = await requestCode(service(), own(), other.device, newEmail);
    expect((await own().confirmEmailChange(device, code)).status).to.equal(200);
    expectError(await own().confirmEmailChange(other.device, otherCode), 409, 'EMAIL_TAKEN');
    await expectUnchanged(other.account);
  });

  it('reaches a limit of ten an hour by a user, and ten an hour to an address', async () => {
    const { device } = await begin();
    for (const newEmail of times(10, uniqueEmail)) {
      expect((await own().requestEmailChange(device, newEmail)).status).to.equal(200);
      await passTime(120);
    }
    expectError(await own().requestEmailChange(device, uniqueEmail()), 429, 'RESEND_LOCKED');

    const address = uniqueEmail();
    for (const each of times(10, begin)) {
      expect((await own().requestEmailChange((await each).device, address)).status).to.equal(200);
      await passTime(120);
    }
    const employee = service().client(EMPLOYEE);
    const last = await employee.createDevice();
    const response = await createOwnAccountClient(employee).requestEmailChange(last, address);
    expectError(response, 429, 'RESEND_LOCKED');
    // The rejected request has not locked the user.
    await requestCode(service(), createOwnAccountClient(employee), last, uniqueEmail());
  });

  it('does not lock the owner of the requested address out of a password reset', async () => {
    const { device } = await begin();
    const { email } = await client().createAccount();
    expect((await own().requestEmailChange(device, email)).status).to.equal(200);
    for (const wrong of times(5, () => '000000')) await own().confirmEmailChange(device, wrong);
    const code = await service().requestResetCode(CUSTOMER, email);
    expect((await client().resetPassword({ email, code, newPassword: NEW_PASSWORD })).status).to.equal(204);
  });

  const CANCELLATIONS: [name: string, cancel: (begun: Begun) => Promise<Device>][] = [
    [
      'a change of the password',
      async ({ device }) => {
        const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
        expect((await client().changePassword(device, change)).status).to.equal(204);
        return device;
      },
    ],
    [
      'a reset of the password',
      async ({ account: { email } }) => {
        const reset = {
          email,
          code: await service().requestResetCode(CUSTOMER, email),
          newPassword: NEW_PASSWORD,
        };
        expect((await client().resetPassword(reset)).status).to.equal(204);
        return await client().openDevice({ email, password: NEW_PASSWORD });
      },
    ],
    [
      'the first verification of the present address in another session',
      async ({ account }) => {
        const other = await client().openDevice(account);
        const code = await service().requestVerificationCode(CUSTOMER, other, account.email);
        expect((await client().verifyEmail(other, { code })).status).to.equal(200);
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
      const code = await requestCode(service(), own(), begun.device, begun.newEmail);
      const left = await cancel(begun);
      expectError(await own().confirmEmailChange(left, code), 400, 'CODE_INVALID');
    });

  it('leaves neither code nor addresses in Redis, except in the mail queue', async () => {
    const { account, device, newEmail } = await begin();
    const code = await requestCode(service(), own(), device, newEmail);
    const entries = Object.entries(await service().redis.dump()).filter(([key]) => !key.startsWith('bull:'));
    const stored = JSON.stringify(entries);
    expect(stored).to.include('email-change:');
    expect(stored).not.to.match(new RegExp(`\\b${code}\\b`));
    for (const email of [account.email, newEmail]) expect(stored).not.to.include(email);
  });

  it('fails without a request, and for another purpose', async () => {
    const { account, device, newEmail } = await begin();
    expectError(await own().confirmEmailChange(device, '123456'), 400, 'CODE_INVALID');
    const code = await requestCode(service(), own(), device, newEmail);
    const verification = await service().requestVerificationCode(CUSTOMER, device, account.email);
    if (verification !== code) {
      expectError(await own().confirmEmailChange(device, verification), 400, 'CODE_INVALID');
      expectError(await client().verifyEmail(device, { code }), 400, 'CODE_INVALID');
    }
    expectError(await own().confirmEmailChange(device, getOtherCode(code)), 400, 'CODE_INVALID');
  });

  it('makes reset codes of the former address invalid', async () => {
    const { account, device, newEmail } = await begin();
    const resetCode = await service().requestResetCode(CUSTOMER, account.email);
    const code = await requestCode(service(), own(), device, newEmail);
    expect((await own().confirmEmailChange(device, code)).status).to.equal(200);
    const reset = { email: account.email, code: resetCode, newPassword: NEW_PASSWORD };
    expectError(await client().resetPassword(reset), 400, 'CODE_INVALID');
    await client().openDevice({ email: newEmail, password: PASSWORD });
  });
});
