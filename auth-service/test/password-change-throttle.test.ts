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
import { ALL_KINDS, createAnyAccount } from './any-account.ts';
import { type RunningAuthService, useAuthService } from './auth-service.ts';
import { useCodeService } from './code-service.ts';
import {
  attempt,
  endDelays,
  expectThrottled,
  expectWrong,
  FREE,
  range,
  source,
} from './password-attempts.ts';

const NEW_PASSWORD = 'A better horse 2';

const expectWrongPassword = (answer: HttpResponse): void =>
  expectError(answer, 400, 'CURRENT_PASSWORD_WRONG');

/** Changes the password with a wrong current one, unless the right one is given. */
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
      const signedIn = async () => {
        const account = await createAnyAccount(service(), kind);
        return { account, device: await service().client(kind).openDevice(account) };
      };
      const fail = async (device: Device, times = FREE) => {
        for (const _ of range(times)) expectWrongPassword(await change(device));
      };

      it('returns 429 after five wrong current passwords, for the right one too', async () => {
        const { device } = await signedIn();
        await fail(device);
        expectThrottled(await change(device), 1);
        expectThrottled(await change(device, undefined, PASSWORD), 1);
      });

      it('doubles the delay with each further wrong password, and not with a refused one', async () => {
        const { device } = await signedIn();
        await fail(device);
        for (const seconds of [2, 4, 8, 16]) {
          await endDelays(service().redis);
          await fail(device, 1);
          for (const _ of range(3)) expectThrottled(await change(device), seconds);
        }
      });

      it('is cleared by the right current password', async () => {
        const { device } = await signedIn();
        await fail(device, FREE - 1);
        expect((await change(device, undefined, PASSWORD)).status).to.equal(204);
        await fail(device);
        expectThrottled(await change(device), 1);
      });
    });

  const change = createChanger(service, CUSTOMER);
  const client = () => service().client(CUSTOMER);
  const signedIn = async () => {
    const account = await client().createAccount();
    return { account, device: await client().openDevice(account) };
  };
  /** Four wrong passwords from each network. */
  const failFromManyNetworks = async (device: Device, times: number) => {
    const answers = await Promise.all(
      range(times).map((index) => change(device, source(Math.floor(index / 4)))),
    );
    for (const answer of answers) expectWrongPassword(answer);
  };

  it('compares exactly five of fifty wrong passwords that come at once', async () => {
    const { device } = await signedIn();
    const answers = await Promise.all(range(50).map(() => change(device)));
    expect(answers.filter(({ status }) => status === 400)).to.have.length(FREE);
    for (const answer of answers.filter(({ status }) => status !== 400)) expectThrottled(answer);
  });

  it('counts the sessions of a user together, and each network apart', async () => {
    const { account, device } = await signedIn();
    const other = await client().openDevice(account);
    for (const index of range(FREE))
      expectWrongPassword(await change(index % 2 ? other : device, `2001:db8::${index + 1}`));
    expectThrottled(await change(other, '2001:db8::ffff'), 1);
    expectWrongPassword(await change(other, '2001:db8:0:1::1'));
    const { device: stranger } = await signedIn();
    expectWrongPassword(await change(stranger, '2001:db8::1'));
  });

  it('counts apart from sign-ins', async () => {
    const { account, device } = await signedIn();
    for (const _ of range(FREE)) expectWrongPassword(await change(device));
    for (const _ of range(FREE)) expectWrong(await attempt(service(), CUSTOMER, { email: account.email }));
    expectThrottled(await attempt(service(), CUSTOMER, account), 1);
  });

  it('refuses unknown networks after a hundred failures of a user, but not the network of the session', async () => {
    const { device } = await signedIn();
    await failFromManyNetworks(device, 100);
    const answer = await change(device, source(500));
    expectThrottled(answer);
    expect(Number(answer.headers['retry-after'])).to.be.within(3_500, 3_600);
    expect((await change(device, undefined, PASSWORD)).status).to.equal(204);
  });

  it('is lifted by a password reset by code after a hundred failures', async () => {
    const { account, device } = await signedIn();
    await failFromManyNetworks(device, 100);
    expect((await client().sendResetCode({ email: account.email })).status).to.equal(200);
    const code = await service().codeFor(account.email);
    const reset = { email: account.email, code, newPassword: 'The best horse 3' };
    expect((await client().resetPassword(reset)).status).to.equal(204);
    const renewed = await client().openDevice({ email: account.email, password: reset.newPassword });
    expect((await change(renewed, source(501), reset.newPassword)).status).to.equal(204);
  });

  it('does not count what is refused before the comparison', async () => {
    const { device } = await signedIn();
    const tooShort = { currentPassword: WRONG_PASSWORD, newPassword: '1234567' };
    for (const _ of range(2 * FREE))
      expectError(await client().changePassword(device, tooShort), 400, 'VALIDATION_FAILED');
    expectWrongPassword(await change(device));
  });

  it('stores no e-mail and no password in Redis', async () => {
    const { account, device } = await signedIn();
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

  it('counts in the process: five attempts, then 429 for at most 900 s', async () => {
    const client = service().client(CUSTOMER);
    const device = await client.openDevice(await client.createAccount());
    for (const _ of range(FREE)) expectWrongPassword(await change(device));
    const refused = await change(device, undefined, PASSWORD);
    expectThrottled(refused);
    expect(Number(refused.headers['retry-after'])).to.be.at.most(900);
    expectWrongPassword(await change(device, source(1)));
  });
});
