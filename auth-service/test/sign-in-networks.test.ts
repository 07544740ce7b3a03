import { type AuthClient, CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { holdLock } from '@platform/shared/testing/hold-lock';
import {
  createInterruptibleProxy,
  type InterruptibleProxy,
} from '@platform/shared/testing/interruptible-proxy';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import { composeAuthService, type RunningAuthService } from './auth-service.ts';
import { type RunningCodeService, useCodeService } from './code-service.ts';
import {
  type Attempt,
  attemptSignIn,
  endDelays,
  expectInvalidCredentials,
  expectThrottled,
  FREE_ATTEMPTS,
  failFromManyNetworks,
  getAddress,
  range,
} from './sign-in-attempts.ts';

const NEW_PASSWORD = 'A better horse 2';
/** Addresses of one IPv6 /64, and of the next one. */
const inNetwork = (index: number): string => `2001:db8:0:1::${index.toString(16)}`;
const inNextNetwork = (index: number): string => `2001:db8:0:2::${index.toString(16)}`;

const resetByCode = async (
  service: RunningCodeService,
  email: string,
  client: AuthClient = service.client(CUSTOMER),
) => {
  expect((await client.sendResetCode({ email })).status).to.equal(200);
  const code = await service.codeFor(email);
  return await client.resetPassword({ email, code, newPassword: NEW_PASSWORD });
};

describe('sign-in throttle by client network', () => {
  const service = useCodeService();
  const signInCustomer = (what: Attempt) => attemptSignIn(service(), CUSTOMER, what);
  const newAccount = () => service().client(CUSTOMER).createAccount();

  it('counts the IPv6 addresses of one /64 as one network', async () => {
    const { email, password } = await newAccount();
    for (const index of range(FREE_ATTEMPTS))
      expectInvalidCredentials(await signInCustomer({ email, from: inNetwork(index + 1) }));
    expectThrottled(await signInCustomer({ email, from: inNetwork(100) }), 1);
    expectThrottled(await signInCustomer({ email, password, from: '2001:DB8:0:1:ffff:ffff:ffff:ffff' }), 1);
  });

  it('counts another /64 and another IPv4 address separately', async () => {
    const account = await newAccount();
    for (const _ of range(FREE_ATTEMPTS))
      expectInvalidCredentials(await signInCustomer({ email: account.email, from: inNetwork(1) }));
    expect((await signInCustomer({ ...account, from: inNextNetwork(1) })).status).to.equal(200);
    expect((await signInCustomer({ ...account, from: getAddress(1) })).status).to.equal(200);
    expectThrottled(await signInCustomer({ email: account.email, from: inNetwork(1) }), 1);
  });
});

describe('account limit of the sign-in throttle', () => {
  const service = useCodeService({ PASSWORD_QUEUE_LIMIT: '1000' });
  const client = () => service().client(CUSTOMER);
  const signInCustomer = (what: Attempt) => attemptSignIn(service(), CUSTOMER, what);
  const reachLimit = (email: string) => failFromManyNetworks(service(), CUSTOMER, email, 100);

  it('rejects the fingerprint of a known device from an unknown network', async () => {
    const account = await client().createAccount();
    const { fingerprint } = await client().openDevice(account);
    await reachLimit(account.email);
    for (const from of [getAddress(700), inNetwork(1)])
      expectThrottled(await signInCustomer({ ...account, fingerprint, from }));
  });

  it('rejects a new fingerprint from the network of a known device', async () => {
    const account = await client().createAccount();
    await client().openDevice(account);
    await reachLimit(account.email);
    expectThrottled(await signInCustomer(account));
  });

  it('allows a known device from every network that it has signed in from', async () => {
    const account = await client().createAccount();
    const device = { ...account, fingerprint: 'roaming' };
    const before = [getAddress(701), inNetwork(1), getAddress(702)];
    for (const from of before) expect((await signInCustomer({ ...device, from })).status).to.equal(200);
    await reachLimit(account.email);
    for (const from of [getAddress(701), inNetwork(2), getAddress(702)])
      expect((await signInCustomer({ ...device, from })).status, from).to.equal(200);
    expectThrottled(await signInCustomer({ ...device, from: inNextNetwork(1) }));
  });

  it('delays wrong passwords from the network of a known device', async () => {
    const account = await client().createAccount();
    const { fingerprint } = await client().openDevice(account);
    await reachLimit(account.email);
    const credentials = { email: account.email, fingerprint };
    for (const _ of range(FREE_ATTEMPTS)) expectInvalidCredentials(await signInCustomer(credentials));
    expectThrottled(await signInCustomer(credentials), 1);
  });

  it('allows many concurrent sign-ins of a known device', async () => {
    const account = await client().createAccount();
    const { fingerprint } = await client().openDevice(account);
    await reachLimit(account.email);
    const responses = await Promise.all(range(20).map(() => signInCustomer({ ...account, fingerprint })));
    expect(responses.map(({ status }) => status)).to.deep.equal(responses.map(() => 200));
  });

  it('is reset by a password reset by code, while the delay of a network stays', async () => {
    const { email } = await client().createAccount();
    for (const index of range(10)) {
      if (index >= FREE_ATTEMPTS) await endDelays(service().redis);
      expectInvalidCredentials(await signInCustomer({ email, from: getAddress(800) }));
    }
    await failFromManyNetworks(service(), CUSTOMER, email, 90);
    expectThrottled(await signInCustomer({ email, from: getAddress(801) }));
    expect((await resetByCode(service(), email)).status).to.equal(204);
    const renewed = { email, password: NEW_PASSWORD };
    expect((await signInCustomer({ ...renewed, from: getAddress(801) })).status).to.equal(200);
    expectThrottled(await signInCustomer({ ...renewed, from: getAddress(800) }));
  });
});

describe('account limit of the sign-in throttle when Redis fails during a reset', () => {
  const service = useCodeService();
  let proxy: InterruptibleProxy;
  let second: RunningAuthService;
  before('start a second auth-service with an interruptible Redis connection', async () => {
    const { databaseUrl, environment, redis } = service();
    proxy = await createInterruptibleProxy(redis.url);
    second = await composeAuthService(databaseUrl, { ...environment, REDIS_URL: proxy.url });
    await waitFor('it is ready', async () => (await second.failing()).length === 0);
  });
  after('stop it', async () => {
    await second?.stop();
    await proxy?.close();
  });

  it('does not fail the password reset', async () => {
    const { email, userId } = await service().client(CUSTOMER).createAccount();
    const query = 'select 1 from users where id = $1 for no key update';
    const lock = await holdLock(service().databaseUrl, query, [userId]);
    const reset = resetByCode(service(), email, createAuthClient(second.url, CUSTOMER));
    await lock.untilWaiting(1);
    await proxy.cut();
    await lock.release();
    expect((await reset).status).to.equal(204);
    await service().client(CUSTOMER).openDevice({ email, password: NEW_PASSWORD });
  });
});
