import { CONFIRMATION, PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { useRecords } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

describe('pending e-mail change', () => {
  const service = useAuthService();
  const records = useRecords(() => service().databaseUrl);
  const client = () => service().as('customer');

  const begin = async () => {
    const account = await client().createAccount();
    return { account, device: await client().openDevice(account), newEmail: uniqueEmail() };
  };
  type Device = Awaited<ReturnType<typeof begin>>['device'];
  const read = async (device: Device) => {
    const response = await client().emailChangePending(device);
    expect(response.status, response.text).to.equal(200);
    return response.body.pending;
  };

  it('is null until a change is requested', async () => {
    const { device } = await begin();
    expect(await read(device)).to.equal(null);
  });

  it('names the address, the lifetime of the code and the wait for another one, on every device', async () => {
    const { account, device, newEmail } = await begin();
    await client().requestEmailChangeCode(device, newEmail.toUpperCase());
    for (const each of [device, await client().openDevice(account)]) {
      const pending = await read(each);
      expect(pending?.newEmail).to.equal(newEmail);
      expect(pending?.expiresIn).to.be.within(840, 900);
      expect(pending?.resendIn).to.be.within(60, 120);
    }
  });

  it('is the latest request', async () => {
    const { device, newEmail } = await begin();
    await client().requestEmailChangeCode(device, uniqueEmail());
    await client().requestEmailChangeCode(device, newEmail);
    expect((await read(device))?.newEmail).to.equal(newEmail);
  });

  it('has no wait when another code is possible', async () => {
    const { device, newEmail } = await begin();
    await client().requestEmailChangeCode(device, newEmail);
    await service().redis.passTime(120);
    expect(await read(device)).to.include({ newEmail, resendIn: 0 });
  });

  it('is the same for an address that has an account', async () => {
    const { device } = await begin();
    const { email } = await records.user(['CUSTOMER']);
    await client().emailChange({ ...device, body: { newEmail: email, ...CONFIRMATION } });
    const { newEmail, ...times } = (await read(device)) ?? {};
    expect(newEmail).to.equal(email);
    expect(times).to.have.all.keys('expiresIn', 'resendIn');
  });

  it('ends with the code, and with a new password', async () => {
    const { device, newEmail } = await begin();
    const code = await client().requestEmailChangeCode(device, newEmail);
    await client().emailChangeCheck({ ...device, body: { code } });
    expect(await read(device)).to.equal(null);

    await client().requestEmailChangeCode(device, uniqueEmail());
    const body = { currentPassword: PASSWORD, newPassword: 'Another-password-1' };
    expect((await client().resetPasswordMe({ ...device, body })).status).to.equal(204);
    expect(await read(device)).to.equal(null);
  });

  it('needs a token', async () => {
    expectError(await client().emailChangePending({}), 401, 'TOKEN_INVALID');
  });
});
