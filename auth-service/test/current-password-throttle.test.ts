import {
  type AccountKind,
  CUSTOMER,
  createAuthClient,
  type Device,
} from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { ALL_KINDS, createVerifiedAccount, type RunningAuthService, useAuthService } from './auth-service.ts';
import { useCodeService } from './code-service.ts';
import { createOwnAccountClient } from './own-account-client.ts';
import { WRONG_CODE } from './second-factor-account.ts';
import {
  attemptSignIn,
  endDelays,
  expectInvalidCredentials,
  expectThrottled,
  FREE_ATTEMPTS,
  getAddress,
  range,
  setFailures,
} from './sign-in-attempts.ts';

const NEW_PASSWORD = 'A better horse 2';

const expectWrongPassword = (response: HttpResponse): void =>
  expectError(response, 400, 'CURRENT_PASSWORD_WRONG');

type Service = Pick<RunningAuthService, 'url' | 'client' | 'databaseUrl'>;

/** With a wrong current password unless one is given. */
const createChanger =
  (service: () => Pick<Service, 'url'>, kind: AccountKind) =>
  (device: Device, from?: string, currentPassword = WRONG_PASSWORD) =>
    createAuthClient(service().url, kind).changePassword(
      device,
      { currentPassword, newPassword: NEW_PASSWORD },
      { 'X-Forwarded-For': from },
    );

/** One request for each operation that verifies the current password. */
const checkEverywhere = (service: Service, kind: AccountKind, device: Device, currentPassword: string) => {
  const client = service.client(kind);
  const own = createOwnAccountClient(client);
  return [
    () => createChanger(() => service, kind)(device, undefined, currentPassword),
    () => own.requestEmailChange(device, uniqueEmail(), {}, currentPassword),
    () => own.deleteAccount(device, { currentPassword }),
    () => client.setUpTotp(device, { currentPassword }),
    () => client.replaceRecoveryCodes(device, { currentPassword, totpCode: WRONG_CODE }),
  ];
};

const openDevice = async (service: Service, kind: AccountKind) => {
  const account = await createVerifiedAccount(service, kind);
  return { account, device: await service.client(kind).openDevice(account) };
};

describe('throttle of the current password', () => {
  const service = useCodeService({ PASSWORD_QUEUE_LIMIT: '1000' });

  for (const kind of ALL_KINDS)
    describe(`of ${kind.plural}`, () => {
      const change = createChanger(service, kind);
      const fail = async (device: Device, times: number) => {
        for (const _ of range(times)) expectWrongPassword(await change(device));
      };

      it('counts the wrong passwords of all operations and of sign-ins together', async () => {
        const { account, device } = await openDevice(service(), kind);
        for (const check of checkEverywhere(service(), kind, device, WRONG_PASSWORD))
          expectWrongPassword(await check());
        for (const check of checkEverywhere(service(), kind, device, PASSWORD))
          expectThrottled(await check(), 1);
        expectThrottled(await attemptSignIn(service(), kind, account), 1);
        await endDelays(service().redis);
        expectInvalidCredentials(await attemptSignIn(service(), kind, { email: account.email }));
        expectThrottled(await change(device, undefined, PASSWORD), 2);
      });

      it('doubles the delay with each wrong password, but not with a rejected attempt', async () => {
        const { device } = await openDevice(service(), kind);
        await fail(device, FREE_ATTEMPTS);
        for (const seconds of [2, 4, 8]) {
          await endDelays(service().redis);
          await fail(device, 1);
          for (const _ of range(3)) expectThrottled(await change(device), seconds);
        }
      });

      it('resets the delay after the correct current password', async () => {
        const { device } = await openDevice(service(), kind);
        await fail(device, FREE_ATTEMPTS - 1);
        expect((await change(device, undefined, PASSWORD)).status).to.equal(204);
        await fail(device, FREE_ATTEMPTS);
        expectThrottled(await change(device), 1);
      });
    });

  const change = createChanger(service, CUSTOMER);
  const client = () => service().client(CUSTOMER);

  it('compares exactly five of fifty concurrent wrong passwords', async () => {
    const { device } = await openDevice(service(), CUSTOMER);
    const responses = await Promise.all(range(50).map(() => change(device)));
    expect(responses.filter(({ status }) => status === 400)).to.have.length(FREE_ATTEMPTS);
    for (const response of responses.filter(({ status }) => status !== 400)) expectThrottled(response);
  });

  it('counts all sessions of a user together, and each network separately', async () => {
    const { account, device } = await openDevice(service(), CUSTOMER);
    const other = await client().openDevice(account);
    for (const index of range(FREE_ATTEMPTS))
      expectWrongPassword(await change(index % 2 ? other : device, `2001:db8::${index + 1}`));
    expectThrottled(await change(other, '2001:db8::ffff'), 1);
    expectWrongPassword(await change(other, '2001:db8:0:1::1'));
    const { device: otherDevice } = await openDevice(service(), CUSTOMER);
    expectWrongPassword(await change(otherDevice, '2001:db8::1'));
  });

  it('rejects unknown networks while the account is paused, but not the network of the session', async () => {
    const { account, device } = await openDevice(service(), CUSTOMER);
    await setFailures(service().databaseUrl, account.userId, 'password', 99);
    expectWrongPassword(await change(device, getAddress(500)));
    const response = await change(device, getAddress(501), PASSWORD);
    expectThrottled(response);
    expect(Number(response.headers['retry-after'])).to.be.within(3_500, 3_600);
    expect((await change(device, undefined, PASSWORD)).status).to.equal(204);
  });

  it('does not count requests that are rejected before the comparison', async () => {
    const { device } = await openDevice(service(), CUSTOMER);
    const tooShort = { currentPassword: WRONG_PASSWORD, newPassword: '1234567' };
    for (const _ of range(2 * FREE_ATTEMPTS))
      expectError(await client().changePassword(device, tooShort), 400, 'VALIDATION_FAILED');
    expectWrongPassword(await change(device));
  });
});

describe('throttle of the current password without Redis', () => {
  const service = useAuthService({ REDIS_URL: 'redis://127.0.0.1:1' });
  const change = createChanger(service, CUSTOMER);

  it('counts in memory: five attempts, then 429 for at most 900 s', async () => {
    const { device } = await openDevice(service(), CUSTOMER);
    for (const _ of range(FREE_ATTEMPTS)) expectWrongPassword(await change(device));
    const rejected = await change(device, undefined, PASSWORD);
    expectThrottled(rejected);
    expect(Number(rejected.headers['retry-after'])).to.be.at.most(900);
    expectWrongPassword(await change(device, getAddress(1)));
  });
});
