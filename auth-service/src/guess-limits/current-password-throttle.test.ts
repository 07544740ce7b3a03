import { ADMINISTRATOR } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { expectPasswordMissing, expectWrongPassword, WRONG_CODE } from '../../testing/second-factor.ts';
import {
  attemptSignIn,
  endDelays,
  expectInvalidCredentials,
  expectThrottled,
  extendDelays,
  FREE_ATTEMPTS,
  getAddress,
  range,
  setFailures,
} from '../../testing/sign-in-attempts.ts';

const NEW_PASSWORD = 'A better horse 2';

describe('throttle of the current password', () => {
  const service = useAuthService();
  const begin = async () => {
    const account = await service().as(ADMINISTRATOR).createVerifiedAccount();
    const client = service().as(ADMINISTRATOR);
    const device = await client.openDevice(account);
    const own = client;
    const change = (currentPassword: string | undefined, from?: string) =>
      client.resetPasswordMe({
        ...device,
        body: { currentPassword, newPassword: NEW_PASSWORD },
        headers: { 'X-Forwarded-For': from },
      });
    const operations = (currentPassword: string): (() => Promise<HttpResponse>)[] => [
      // The other tests count this one.
      () => change(currentPassword),
      () =>
        own.emailChange({
          ...device,
          body: { newEmail: uniqueEmail(), currentPassword },
          headers: {},
        }),
      () => own.accountDelete({ ...device, body: { currentPassword } }),
      () => client.totpSetUp({ ...device, body: { currentPassword } }),
      () => client.recoveryCodesReplace({ ...device, body: { currentPassword, totpCode: WRONG_CODE } }),
      () => client.administratorProve({ ...device, body: { currentPassword } }),
    ];
    return { account, client, device, change, operations };
  };

  it('counts wrong passwords of all operations and of sign-ins together', async () => {
    const { account, change, operations } = await begin();
    const free = operations(WRONG_PASSWORD).slice(-FREE_ATTEMPTS);
    for (const operation of free) expectWrongPassword(await operation());
    await extendDelays(service());
    for (const operation of operations(PASSWORD)) expectThrottled(await operation());
    expectThrottled(await attemptSignIn(service(), ADMINISTRATOR, account));
    await endDelays(service());
    expectInvalidCredentials(await attemptSignIn(service(), ADMINISTRATOR, { email: account.email }));
    await extendDelays(service());
    expectThrottled(await change(PASSWORD));
    await endDelays(service());
    expect((await change(PASSWORD)).status).to.equal(204);
    // A missing password is no guess.
    for (const _ of range(FREE_ATTEMPTS + 1)) expectPasswordMissing(await change(undefined));
  });

  it('counts another session and another address of a /64, but no other user, as the same', async () => {
    const { account, client, change } = await begin();
    const other = await client.openDevice(account);
    const changeOther = (device: Device, from: string) =>
      client.resetPasswordMe({
        ...device,
        body: { currentPassword: WRONG_PASSWORD, newPassword: NEW_PASSWORD },
        headers: { 'X-Forwarded-For': from },
      });
    for (const index of range(FREE_ATTEMPTS))
      expectWrongPassword(await change(WRONG_PASSWORD, `2001:db8::${index + 1}`));
    await extendDelays(service());
    expectThrottled(await changeOther(other, '2001:db8::ffff'));
    expectWrongPassword(await changeOther((await begin()).device, '2001:db8::1'));
  });

  it('rejects unknown networks while the account is paused, but not the network of the session', async () => {
    const { account, change } = await begin();
    await setFailures(service().databaseUrl, account.userId, 'password', 99);
    expectWrongPassword(await change(WRONG_PASSWORD, getAddress(500)));
    const response = await change(PASSWORD, getAddress(501));
    expectThrottled(response);
    expect(Number(response.headers['retry-after'])).to.be.within(3_500, 3_600);
    expect((await change(PASSWORD)).status).to.equal(204);
  });

  it('does not count requests that are rejected before the comparison', async () => {
    const { client, device, change } = await begin();
    const tooShort = { currentPassword: WRONG_PASSWORD, newPassword: '1234567' };
    for (const _ of range(2 * FREE_ATTEMPTS))
      expectError(await client.resetPasswordMe({ ...device, body: tooShort }), 400, 'VALIDATION_FAILED');
    expectWrongPassword(await change(WRONG_PASSWORD));
  });
});
