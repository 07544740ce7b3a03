import {
  type AccountKind,
  CUSTOMER,
  createAuthClient,
  type Device,
} from '@platform/shared/testing/auth-client';
import { PASSWORD, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { ALL_KINDS, createAccountOfKind, type RunningAuthService, useAuthService } from './auth-service.ts';
import { useCodeService } from './code-service.ts';
import {
  attemptSignIn,
  endDelays,
  expectInvalidCredentials,
  expectThrottled,
  FREE_ATTEMPTS,
  getAddress,
  range,
} from './sign-in-attempts.ts';

const NEW_PASSWORD = 'A better horse 2';

const expectWrongPassword = (response: HttpResponse): void =>
  expectError(response, 400, 'CURRENT_PASSWORD_WRONG');

/** With a wrong current password unless one is given. */
const createChanger =
  (service: () => Pick<RunningAuthService, 'url'>, kind: AccountKind) =>
  (device: Device, from?: string, currentPassword = WRONG_PASSWORD) =>
    createAuthClient(service().url, kind).changePassword(
      device,
      { currentPassword, newPassword: NEW_PASSWORD },
      { 'X-Forwarded-For': from },
    );

describe('password change throttle', () => {
  const service = useCodeService({ PASSWORD_QUEUE_LIMIT: '1000' });

  for (const kind of ALL_KINDS)
    describe(`of ${kind.plural}`, () => {
      const change = createChanger(service, kind);
      const createAccountAndDevice = async () => {
        const account = await createAccountOfKind(service(), kind);
        return { account, device: await service().client(kind).openDevice(account) };
      };
      const fail = async (device: Device, times = FREE_ATTEMPTS) => {
        for (const _ of range(times)) expectWrongPassword(await change(device));
      };

      it('returns 429 after five wrong current passwords, also for the correct one', async () => {
        const { device } = await createAccountAndDevice();
        await fail(device);
        expectThrottled(await change(device), 1);
        expectThrottled(await change(device, undefined, PASSWORD), 1);
      });

      it('doubles the delay with each wrong password, but not with a rejected attempt', async () => {
        const { device } = await createAccountAndDevice();
        await fail(device);
        for (const seconds of [2, 4, 8, 16]) {
          await endDelays(service().redis);
          await fail(device, 1);
          for (const _ of range(3)) expectThrottled(await change(device), seconds);
        }
      });

      it('resets the delay after the correct current password', async () => {
        const { device } = await createAccountAndDevice();
        await fail(device, FREE_ATTEMPTS - 1);
        expect((await change(device, undefined, PASSWORD)).status).to.equal(204);
        await fail(device);
        expectThrottled(await change(device), 1);
      });
    });

  const change = createChanger(service, CUSTOMER);
  const client = () => service().client(CUSTOMER);
  const createAccountAndDevice = async () => {
    const account = await client().createAccount();
    return { account, device: await client().openDevice(account) };
  };
  /** Four wrong passwords from each network. */
  const failFromManyNetworks = async (device: Device, times: number) => {
    const responses = await Promise.all(
      range(times).map((index) => change(device, getAddress(Math.floor(index / 4)))),
    );
    for (const response of responses) expectWrongPassword(response);
  };

  it('compares exactly five of fifty concurrent wrong passwords', async () => {
    const { device } = await createAccountAndDevice();
    const responses = await Promise.all(range(50).map(() => change(device)));
    expect(responses.filter(({ status }) => status === 400)).to.have.length(FREE_ATTEMPTS);
    for (const response of responses.filter(({ status }) => status !== 400)) expectThrottled(response);
  });

  it('counts all sessions of a user together, and each network separately', async () => {
    const { account, device } = await createAccountAndDevice();
    const other = await client().openDevice(account);
    for (const index of range(FREE_ATTEMPTS))
      expectWrongPassword(await change(index % 2 ? other : device, `2001:db8::${index + 1}`));
    expectThrottled(await change(other, '2001:db8::ffff'), 1);
    expectWrongPassword(await change(other, '2001:db8:0:1::1'));
    const { device: otherDevice } = await createAccountAndDevice();
    expectWrongPassword(await change(otherDevice, '2001:db8::1'));
  });

  it('counts separately from sign-ins', async () => {
    const { account, device } = await createAccountAndDevice();
    for (const _ of range(FREE_ATTEMPTS)) expectWrongPassword(await change(device));
    for (const _ of range(FREE_ATTEMPTS))
      expectInvalidCredentials(await attemptSignIn(service(), CUSTOMER, { email: account.email }));
    expectThrottled(await attemptSignIn(service(), CUSTOMER, account), 1);
  });

  it('rejects unknown networks after 100 failures of a user, but not the network of the session', async () => {
    const { device } = await createAccountAndDevice();
    await failFromManyNetworks(device, 100);
    const response = await change(device, getAddress(500));
    expectThrottled(response);
    expect(Number(response.headers['retry-after'])).to.be.within(3_500, 3_600);
    expect((await change(device, undefined, PASSWORD)).status).to.equal(204);
  });

  it('resets the limit of 100 failures after a password reset by code', async () => {
    const { account, device } = await createAccountAndDevice();
    await failFromManyNetworks(device, 100);
    expect((await client().sendResetCode({ email: account.email })).status).to.equal(200);
    const code = await service().codeFor(account.email);
    const reset = { email: account.email, code, newPassword: 'The best horse 3' };
    expect((await client().resetPassword(reset)).status).to.equal(204);
    const renewed = await client().openDevice({ email: account.email, password: reset.newPassword });
    expect((await change(renewed, getAddress(501), reset.newPassword)).status).to.equal(204);
  });

  it('does not count requests that are rejected before the comparison', async () => {
    const { device } = await createAccountAndDevice();
    const tooShort = { currentPassword: WRONG_PASSWORD, newPassword: '1234567' };
    for (const _ of range(2 * FREE_ATTEMPTS))
      expectError(await client().changePassword(device, tooShort), 400, 'VALIDATION_FAILED');
    expectWrongPassword(await change(device));
  });

  it('stores no e-mail and no password in Redis', async () => {
    const { account, device } = await createAccountAndDevice();
    expectWrongPassword(await change(device));
    const stored = Object.entries(await service().redis.dump())
      .flat()
      .join('\n');
    expect(stored).to.include('password-change-failures:');
    for (const secret of [account.email, WRONG_PASSWORD, PASSWORD]) expect(stored).not.to.include(secret);
  });
});

describe('password change throttle without Redis', () => {
  const service = useAuthService({ REDIS_URL: 'redis://127.0.0.1:1' });
  const change = createChanger(service, CUSTOMER);

  it('counts in memory: five attempts, then 429 for at most 900 s', async () => {
    const client = service().client(CUSTOMER);
    const device = await client.openDevice(await client.createAccount());
    for (const _ of range(FREE_ATTEMPTS)) expectWrongPassword(await change(device));
    const rejected = await change(device, undefined, PASSWORD);
    expectThrottled(rejected);
    expect(Number(rejected.headers['retry-after'])).to.be.at.most(900);
    expectWrongPassword(await change(device, getAddress(1)));
  });
});
