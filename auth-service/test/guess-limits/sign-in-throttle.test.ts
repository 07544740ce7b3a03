import { type AccountKind, ADMINISTRATOR, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { uniqueEmail, uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import {
  createInterruptibleProxy,
  type InterruptibleProxy,
} from '@platform/shared/testing/interruptible-proxy';
import { waitFor } from '@platform/shared/testing/poll';
import { setBlocked } from '@platform/shared/testing/query-database';
import { expectError, observable } from '@platform/shared/testing/responses';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { expect } from 'chai';
import { ALL_KINDS, type RunningAuthService, startAuthService, useAuthService } from '../auth-service.ts';
import { useCodeService } from '../code-service.ts';
import {
  type Attempt,
  attemptSignIn,
  endDelays,
  expectInvalidCredentials,
  expectThrottled,
  extendDelays,
  FREE_ATTEMPTS,
  getAddress,
  range,
} from './sign-in-attempts.ts';

describe('sign-in throttle', () => {
  const service = useCodeService();
  const newAccount = (kind: AccountKind) => service().client(kind).createAccount();
  const fail = async (kind: AccountKind, what: Attempt, times = FREE_ATTEMPTS) => {
    for (const _ of range(times)) expectInvalidCredentials(await attemptSignIn(service(), kind, what));
  };

  for (const kind of ALL_KINDS)
    describe(`of ${kind.plural}`, () => {
      const sendTry = (what: Attempt) => attemptSignIn(service(), kind, what);

      it('returns 429 with a delay of 1 s after five failures, also for the correct password', async () => {
        const { email, password } = await newAccount(kind);
        await fail(kind, { email });
        expectThrottled(await sendTry({ email }), 1);
        expectThrottled(await sendTry({ email, password }), 1);
      });

      it('doubles the delay with each further failure, up to 900 s', async () => {
        const { email } = await newAccount(kind);
        await fail(kind, { email });
        for (const seconds of [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]) {
          await endDelays(service().redis);
          expectInvalidCredentials(await sendTry({ email }));
          expectThrottled(await sendTry({ email }), seconds);
        }
      });

      it('accepts the correct password after the delay and resets the failures', async () => {
        const account = await newAccount(kind);
        const { email } = account;
        await fail(kind, { email });
        await endDelays(service().redis);
        await service().client(kind).openDevice(account);
        await fail(kind, { email });
        expectThrottled(await sendTry({ email }), 1);
      });

      it('allows five failures again after a success', async () => {
        const account = await newAccount(kind);
        for (const _ of range(3)) {
          await fail(kind, { email: account.email }, 4);
          await service().client(kind).openDevice(account);
        }
        await fail(kind, { email: account.email });
        expectThrottled(await sendTry({ email: account.email }), 1);
      });

      it('returns the same responses for an unknown e-mail', async () => {
        const { email } = await newAccount(kind);
        const unknown = uniqueEmail();
        for (const round of range(9)) {
          if (round >= 6) await endDelays(service().redis);
          const [known, other] = [await sendTry({ email }), await sendTry({ email: unknown })];
          expect(observable(other)).to.deep.equal(observable(known));
          expect(other.headers['retry-after']).to.equal(known.headers['retry-after']);
          expect(known.status).to.equal(round < FREE_ATTEMPTS || round >= 6 ? 401 : 429);
        }
      });
    });

  const signInCustomer = (what: Attempt) => attemptSignIn(service(), CUSTOMER, what);
  /** The delays that have passed, each twice as long as the one before: on a busy machine, some pass during a test. */
  const countDelays = (started: number, firstSeconds: number): number =>
    Math.floor(Math.log2(1 + (performance.now() - started) / 1_000 / firstSeconds));

  it('does not count rejected attempts: the delay neither grows nor restarts', async () => {
    const { email } = await newAccount(CUSTOMER);
    await fail(CUSTOMER, { email });
    await endDelays(service().redis);
    await fail(CUSTOMER, { email }, 1);
    await extendDelays(service().redis);
    const waits: number[] = [];
    for (const _ of range(12)) {
      const response = await signInCustomer({ email });
      expectThrottled(response);
      waits.push(Number(response.headers['retry-after']));
    }
    expect(waits).to.deep.equal(waits.toSorted((one, other) => other - one));
    await endDelays(service().redis);
    await fail(CUSTOMER, { email }, 1);
    expectThrottled(await signInCustomer({ email }), 4);
  });

  it('allows an attempt after the time of Retry-After', async () => {
    const account = await newAccount(CUSTOMER);
    await fail(CUSTOMER, { email: account.email });
    const rejected = await signInCustomer({ email: account.email });
    expectThrottled(rejected, 1);
    await waitFor('the account can be signed in to', async () => {
      const { status } = await signInCustomer({ email: account.email, password: account.password });
      return status === 200;
    });
  });

  it('does not affect other addresses and other accounts', async () => {
    const [account, otherAccount] = [await newAccount(CUSTOMER), await newAccount(CUSTOMER)];
    await fail(CUSTOMER, { email: account.email, from: getAddress(1) });
    await extendDelays(service().redis);
    expectThrottled(await signInCustomer({ email: account.email, from: getAddress(1) }));
    expect((await signInCustomer({ ...account, from: getAddress(2) })).status).to.equal(200);
    expect((await signInCustomer({ ...otherAccount, from: getAddress(1) })).status).to.equal(200);
    // The owner's success on another network does not reset the attacker's delay.
    expectThrottled(await signInCustomer({ email: account.email, from: getAddress(1) }));
  });

  it('counts an e-mail in any letter case as one account', async () => {
    const { email } = await newAccount(CUSTOMER);
    for (const spelt of [
      email,
      email.toUpperCase(),
      `${email[0]?.toUpperCase()}${email.slice(1)}`,
      email,
      email,
    ])
      expectInvalidCredentials(await signInCustomer({ email: spelt }));
    expectThrottled(await signInCustomer({ email: email.toUpperCase() }), 1);
  });

  it('counts the failures of all kinds together', async () => {
    const { email } = await newAccount(CUSTOMER);
    await fail(CUSTOMER, { email }, 2);
    await fail(EMPLOYEE, { email }, 2);
    await fail(ADMINISTRATOR, { email }, 1);
    await extendDelays(service().redis);
    for (const kind of ALL_KINDS) expectThrottled(await attemptSignIn(service(), kind, { email }));
  });

  it('compares exactly five of fifty concurrent wrong passwords', async () => {
    const { email } = await newAccount(CUSTOMER);
    const started = performance.now();
    const responses = await Promise.all(range(50).map(() => signInCustomer({ email })));
    const compared = responses.filter(({ status }) => status === 401);
    expect(compared.length).to.be.within(FREE_ATTEMPTS, FREE_ATTEMPTS + countDelays(started, 1));
    for (const response of compared) expectInvalidCredentials(response);
    for (const response of responses.filter(({ status }) => status !== 401)) expectThrottled(response);
  });

  it('compares exactly one of twenty concurrent attempts after a delay', async () => {
    const { email } = await newAccount(CUSTOMER);
    await fail(CUSTOMER, { email });
    await endDelays(service().redis);
    const started = performance.now();
    const responses = await Promise.all(range(20).map(() => signInCustomer({ email })));
    const compared = responses.filter(({ status }) => status === 401);
    expect(compared.length).to.be.within(1, 1 + countDelays(started, 2));
    expectThrottled(await signInCustomer({ email }), 2);
  });

  it('accepts fifty concurrent sign-ins with the correct password', async () => {
    const account = await newAccount(CUSTOMER);
    const responses = await Promise.all(range(50).map(() => signInCustomer(account)));
    expect(new Set(responses.map(({ status }) => status))).to.deep.equal(new Set([200]));
    await fail(CUSTOMER, { email: account.email });
    expectThrottled(await signInCustomer({ email: account.email }), 1);
  });

  it('stops waiting for a pending attempt of a crashed process after a while', async () => {
    await service().redis.client.flushDb();
    const account = await newAccount(CUSTOMER);
    await fail(CUSTOMER, { email: account.email });
    const { client, dump } = service().redis;
    const network = '127.0.0.1';
    const [key = ''] = Object.keys(await dump()).filter((name) => name.startsWith('password-failures:'));
    const now = Date.now();
    await client.hSet(key, {
      [`${network}:until`]: now + 60_000,
      [`${network}:pending`]: 1,
      [`${network}:pending-until`]: now + 1_000,
    });
    const response = await signInCustomer({ email: account.email });
    expectThrottled(response);
    expect(Number(response.headers['retry-after'])).to.be.below(60);
    await endDelays(service().redis);
    await fail(CUSTOMER, { email: account.email }, 1);
  });

  it('does not count the correct password of a blocked user', async () => {
    const account = await newAccount(CUSTOMER);
    await setBlocked(service().databaseUrl, account.userId, true);
    for (const _ of range(8)) expectError(await signInCustomer(account), 401, 'USER_BLOCKED');
  });

  it('does not count the correct password without a platform role', async () => {
    const account = await newAccount(CUSTOMER);
    for (const _ of range(8))
      expectError(await attemptSignIn(service(), ADMINISTRATOR, account), 403, 'PLATFORM_ROLE_INVALID');
  });

  it('does not count validation errors and domains that are not allowed', async () => {
    const account = await newAccount(CUSTOMER);
    for (const _ of range(8)) {
      const { email } = account;
      const response = await service().client(CUSTOMER).signIn({ email, password: '' }, 'device');
      expectError(response, 400, 'VALIDATION_FAILED');
    }
    await fail(CUSTOMER, { email: account.email });
    const foreign = `someone-${uniqueFingerprint()}@elsewhere.example`;
    for (const _ of range(8))
      expectError(
        await attemptSignIn(service(), ADMINISTRATOR, { email: foreign }),
        403,
        'DOMAIN_NOT_ALLOWED',
      );
  });

  it('stores neither e-mails nor passwords in Redis', async () => {
    const { email } = await newAccount(CUSTOMER);
    await fail(CUSTOMER, { email }, 2);
    const kept = Object.entries(await service().redis.dump())
      .flat()
      .join('\n');
    expect(kept).not.to.include(email);
    expect(kept).not.to.include(WRONG_PASSWORD);
  });
});

describe('sign-in throttle with a full password queue', () => {
  const service = useAuthService({ BCRYPT_COST: '10', PASSWORD_QUEUE_LIMIT: '1' });

  it('does not count attempts that return 503', async () => {
    const { email } = await service().client(CUSTOMER).createAccount();
    let isLoaded = true;
    const load = range(12).map(async () => {
      while (isLoaded) await attemptSignIn(service(), EMPLOYEE, { email: uniqueEmail() });
    });
    let rejected = 0;
    let compared = 0;
    while (rejected < 2 * FREE_ATTEMPTS && compared < FREE_ATTEMPTS) {
      const response = await attemptSignIn(service(), CUSTOMER, { email });
      if (response.status === 503) rejected += 1;
      else {
        expectInvalidCredentials(response);
        compared += 1;
      }
    }
    isLoaded = false;
    await Promise.all(load);
    expect(rejected).to.be.at.least(1);
    for (; compared < FREE_ATTEMPTS; compared += 1)
      expectInvalidCredentials(await attemptSignIn(service(), CUSTOMER, { email }));
    expectThrottled(await attemptSignIn(service(), CUSTOMER, { email }), 1);
  });
});

describe('sign-in throttle while Redis refuses connections', () => {
  const service = useAuthService({ REDIS_URL: 'redis://127.0.0.1:1' });
  const attempt = (what: Attempt) => attemptSignIn(service(), CUSTOMER, what);

  it('allows five failures, then returns 429 for at most 900 s', async () => {
    const { email } = await service().client(CUSTOMER).createAccount();
    for (const _ of range(FREE_ATTEMPTS)) expectInvalidCredentials(await attempt({ email }));
    const rejected = await attempt({ email });
    expectThrottled(rejected);
    expect(Number(rejected.headers['retry-after'])).to.be.at.most(900);
  });

  it('resets the failures after a success, and does not affect other accounts and addresses', async () => {
    const account = await service().client(CUSTOMER).createAccount();
    for (const _ of range(2)) {
      for (const _free of range(4)) expectInvalidCredentials(await attempt({ email: account.email }));
      expect((await attempt(account)).status).to.equal(200);
    }
    for (const _ of range(FREE_ATTEMPTS)) expectInvalidCredentials(await attempt({ email: account.email }));
    expectThrottled(await attempt(account));
    expect((await attempt({ ...account, from: getAddress(1) })).status).to.equal(200);
    expect((await attempt(await service().client(CUSTOMER).createAccount())).status).to.equal(200);
  });

  it('compares at most five of fifty concurrent attempts', async () => {
    const { email } = await service().client(CUSTOMER).createAccount();
    const responses = await Promise.all(range(50).map(() => attempt({ email })));
    expect(responses.filter(({ status }) => status === 401)).to.have.length(FREE_ATTEMPTS);
    for (const response of responses.filter(({ status }) => status !== 401)) expectThrottled(response);
  });
});

describe('sign-in throttle after a Redis failure', () => {
  let redis: TestRedis;
  let proxy: InterruptibleProxy;
  let running: RunningAuthService;
  before('start auth-service with an interruptible Redis connection', async () => {
    redis = await createTestRedis();
    proxy = await createInterruptibleProxy(redis.url);
    running = await startAuthService({ REDIS_URL: proxy.url });
  });
  after('stop auth-service', async () => {
    await running?.stop();
    await proxy?.close();
    await redis?.drop();
  });
  const service = () => running;

  it('counts in memory without Redis, and in Redis afterwards', async () => {
    const { email } = await service().client(CUSTOMER).createAccount();
    await waitFor('the service has its Redis', async () => (await service().failing()).length === 0);
    for (const _ of range(FREE_ATTEMPTS))
      expectInvalidCredentials(await attemptSignIn(service(), CUSTOMER, { email }));
    expectThrottled(await attemptSignIn(service(), CUSTOMER, { email }), 1);
    await proxy.cut();
    for (const _ of range(FREE_ATTEMPTS))
      expectInvalidCredentials(await attemptSignIn(service(), CUSTOMER, { email }));
    expectThrottled(await attemptSignIn(service(), CUSTOMER, { email }));
    await proxy.restore();
    await waitFor('it is counted in Redis again', async () => {
      await attemptSignIn(service(), CUSTOMER, { email: uniqueEmail(), from: getAddress(1) });
      return Object.values(await redis.dump()).some((fields) => fields.includes(getAddress(1)));
    });
    await endDelays(redis);
    expectInvalidCredentials(await attemptSignIn(service(), CUSTOMER, { email }));
    expectThrottled(await attemptSignIn(service(), CUSTOMER, { email }), 2);
  });

  it('throttles while Redis is frozen', async () => {
    const account = await service().client(CUSTOMER).createAccount();
    proxy.freeze();
    expectInvalidCredentials(await attemptSignIn(service(), CUSTOMER, { email: account.email }));
    for (const _ of range(FREE_ATTEMPTS - 1))
      expectInvalidCredentials(await attemptSignIn(service(), CUSTOMER, { email: account.email }));
    expectThrottled(await attemptSignIn(service(), CUSTOMER, { email: account.email }));
    await proxy.restore();
  });
});
