import { type AccountKind, ADMINISTRATOR, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { uniqueEmail, uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import {
  createInterruptibleProxy,
  type InterruptibleProxy,
} from '@platform/shared/testing/interruptible-proxy';
import { waitFor } from '@platform/shared/testing/poll';
import { setBlocked } from '@platform/shared/testing/query-database';
import { createRecords } from '@platform/shared/testing/records';
import { expectError, observable } from '@platform/shared/testing/responses';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { expect } from 'chai';
import { ALL_KINDS, createAnyAccount } from './any-account.ts';
import { type RunningAuthService, startAuthService, useAuthService } from './auth-service.ts';
import { useCodeService } from './code-service.ts';
import {
  attempt,
  endDelays,
  expectThrottled,
  expectWrong,
  FREE,
  failFromManyNetworks,
  range,
  source,
  type Try,
} from './password-attempts.ts';

type Service = Pick<RunningAuthService, 'client'>;

describe('Failed sign-ins', () => {
  const service = useCodeService();
  const newAccount = (kind: AccountKind) => createAnyAccount(service(), kind);
  const fail = async (kind: AccountKind, what: Try, times = FREE) => {
    for (const _ of range(times)) expectWrong(await attempt(service(), kind, what));
  };

  for (const kind of ALL_KINDS)
    describe(`of ${kind.plural}`, () => {
      const sendTry = (what: Try) => attempt(service(), kind, what);

      it('When five have failed, then the sixth try has to wait a second, with the right password too', async () => {
        const { email, password } = await newAccount(kind);
        await fail(kind, { email });
        expectThrottled(await sendTry({ email }), 1);
        expectThrottled(await sendTry({ email, password }), 1);
      });

      it('When more fail, then the delay doubles with each, up to 900 s', async () => {
        const { email } = await newAccount(kind);
        await fail(kind, { email });
        for (const seconds of [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]) {
          await endDelays(service().redis);
          expectWrong(await sendTry({ email }));
          expectThrottled(await sendTry({ email }), seconds);
        }
      });

      it('When the delay is over, then the right password signs in and all is forgotten', async () => {
        const account = await newAccount(kind);
        const { email } = account;
        await fail(kind, { email });
        await endDelays(service().redis);
        await service().client(kind).openDevice(account);
        await fail(kind, { email });
        expectThrottled(await sendTry({ email }), 1);
      });

      it('When four have failed, then a success makes five free again', async () => {
        const account = await newAccount(kind);
        for (const _ of range(3)) {
          await fail(kind, { email: account.email }, 4);
          await service().client(kind).openDevice(account);
        }
        await fail(kind, { email: account.email });
        expectThrottled(await sendTry({ email: account.email }), 1);
      });

      it('When the e-mail is unknown, then every answer is the same as for a known one', async () => {
        const { email } = await newAccount(kind);
        const unknown = uniqueEmail();
        for (const round of range(9)) {
          if (round >= 6) await endDelays(service().redis);
          const [known, other] = [await sendTry({ email }), await sendTry({ email: unknown })];
          expect(observable(other)).to.deep.equal(observable(known));
          expect(other.headers['retry-after']).to.equal(known.headers['retry-after']);
          expect(known.status).to.equal(round < FREE || round >= 6 ? 401 : 429);
        }
      });
    });

  const tryCustomer = (what: Try) => attempt(service(), CUSTOMER, what);

  it('When tries are refused, then they do not count: the delay neither grows nor starts anew', async () => {
    const { email } = await newAccount(CUSTOMER);
    await fail(CUSTOMER, { email });
    await endDelays(service().redis);
    await fail(CUSTOMER, { email }, 1);
    for (const _ of range(12)) expectThrottled(await tryCustomer({ email }), 2);
    await endDelays(service().redis);
    await fail(CUSTOMER, { email }, 1);
    expectThrottled(await tryCustomer({ email }), 4);
  });

  it('When a try was refused, then it may be made once the time that Retry-After names has passed', async () => {
    const account = await newAccount(CUSTOMER);
    await fail(CUSTOMER, { email: account.email });
    const refused = await tryCustomer({ email: account.email });
    expectThrottled(refused, 1);
    const asked = Date.now();
    await waitFor('the account can be signed in to', async () => {
      const { status } = await tryCustomer({ email: account.email, password: account.password });
      return status === 200;
    });
    expect(Date.now() - asked).to.be.below(1_500);
  });

  it('When failures come from one address, then another address and another account are not affected', async () => {
    const [mine, theirs] = [await newAccount(CUSTOMER), await newAccount(CUSTOMER)];
    await fail(CUSTOMER, { email: mine.email, from: source(1) });
    expectThrottled(await tryCustomer({ email: mine.email, from: source(1) }));
    expect((await tryCustomer({ ...mine, from: source(2) })).status).to.equal(200);
    expect((await tryCustomer({ ...theirs, from: source(1) })).status).to.equal(200);
    // The owner's success elsewhere does not help the guesser.
    expectThrottled(await tryCustomer({ email: mine.email, from: source(1) }));
  });

  it('When the e-mail is written in another letter case, then it is the same account', async () => {
    const { email } = await newAccount(CUSTOMER);
    for (const spelt of [
      email,
      email.toUpperCase(),
      `${email[0]?.toUpperCase()}${email.slice(1)}`,
      email,
      email,
    ])
      expectWrong(await tryCustomer({ email: spelt }));
    expectThrottled(await tryCustomer({ email: email.toUpperCase() }), 1);
  });

  it('When the tries are spread over the kinds, then they count together', async () => {
    const { email } = await newAccount(CUSTOMER);
    await fail(CUSTOMER, { email }, 2);
    await fail(EMPLOYEE, { email }, 2);
    await fail(ADMINISTRATOR, { email }, 1);
    for (const kind of ALL_KINDS) expectThrottled(await attempt(service(), kind, { email }), 1);
  });

  it('When fifty wrong passwords come at once, then exactly five are judged', async () => {
    const { email } = await newAccount(CUSTOMER);
    const answers = await Promise.all(range(50).map(() => tryCustomer({ email })));
    const judged = answers.filter(({ status }) => status === 401);
    expect(judged).to.have.length(FREE);
    for (const answer of judged) expectWrong(answer);
    for (const answer of answers.filter(({ status }) => status !== 401)) expectThrottled(answer);
  });

  it('When twenty come at once after a delay, then exactly one is judged', async () => {
    const { email } = await newAccount(CUSTOMER);
    await fail(CUSTOMER, { email });
    await endDelays(service().redis);
    const answers = await Promise.all(range(20).map(() => tryCustomer({ email })));
    expect(answers.filter(({ status }) => status === 401)).to.have.length(1);
    expectThrottled(await tryCustomer({ email }), 2);
  });

  it('When the right password comes fifty times at once, then all of them sign in', async () => {
    const account = await newAccount(CUSTOMER);
    const answers = await Promise.all(range(50).map(() => tryCustomer(account)));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    await fail(CUSTOMER, { email: account.email });
    expectThrottled(await tryCustomer({ email: account.email }), 1);
  });

  it('When a try is never judged, since the process died, then others wait for it for a while and no longer', async () => {
    const account = await newAccount(CUSTOMER);
    await fail(CUSTOMER, { email: account.email });
    const { client } = service().redis;
    for await (const keys of client.scanIterator({ MATCH: 'sign-in-failures:*:127.0.0.1', COUNT: 1_000 }))
      for (const key of keys)
        await client.set(`${key}:undecided`, 1, { expiration: { type: 'EX', value: 15 } });
    const waiting = tryCustomer({ email: account.email });
    await service().redis.passTime(15);
    expectThrottled(await waiting, 1);
    await endDelays(service().redis);
    await fail(CUSTOMER, { email: account.email }, 1);
  });

  it('When the right password is among many at once, then it signs in or is throttled, and no more than five are judged', async () => {
    const account = await newAccount(CUSTOMER);
    const answers = await Promise.all(
      range(20).map((index) =>
        tryCustomer({ email: account.email, ...(index === 7 && { password: account.password }) }),
      ),
    );
    expect(answers.filter(({ status }) => status === 401).length).to.be.at.most(FREE);
    expect(answers[7]?.status).to.be.oneOf([200, 429]);
  });

  it('When the password is right but the user is blocked, then that is no failure', async () => {
    const account = await newAccount(CUSTOMER);
    await setBlocked(service().databaseUrl, account.userId, true);
    for (const _ of range(8)) expectError(await tryCustomer(account), 401, 'USER_BLOCKED');
  });

  it('When the password is right but the platform role is missing, then that is no failure', async () => {
    const account = await newAccount(CUSTOMER);
    for (const _ of range(8))
      expectError(await attempt(service(), ADMINISTRATOR, account), 403, 'PLATFORM_ROLE_INVALID');
  });

  it('When the request breaks the contract or the domain is not allowed, then no try is counted', async () => {
    const account = await newAccount(CUSTOMER);
    for (const _ of range(8)) {
      const { email } = account;
      const answer = await service().client(CUSTOMER).signIn({ email, password: '' }, 'device');
      expectError(answer, 400, 'VALIDATION_FAILED');
    }
    await fail(CUSTOMER, { email: account.email });
    const foreign = `someone-${uniqueFingerprint()}@elsewhere.example`;
    for (const _ of range(8))
      expectError(await attempt(service(), ADMINISTRATOR, { email: foreign }), 403, 'DOMAIN_NOT_ALLOWED');
  });

  it('When a sign-in fails, then the audit trail has it, without what was typed, and a refused try leaves nothing', async () => {
    const records = createRecords(service().databaseUrl);
    const { email, userId } = await newAccount(EMPLOYEE);
    await fail(EMPLOYEE, { email, from: '203.0.113.50' });
    expectThrottled(await attempt(service(), EMPLOYEE, { email, from: '203.0.113.50' }));
    const entries = await records.auditOf(userId);
    expect(entries).to.have.length(FREE);
    for (const { createdAt: _createdAt, requestId, ...entry } of entries) {
      expect(requestId).to.match(/^[\w.-]+$/);
      expect(entry).to.deep.equal({
        action: 'SIGN_IN_FAILED',
        actorId: null,
        targetType: 'USER',
        targetId: userId,
        address: '203.0.113.50',
        details: { kind: 'employee' },
      });
    }
    const typed = uniqueEmail();
    expectWrong(await tryCustomer({ email: typed }));
    const all = await records.query<{ text: string }>('select a::text as text from audit_records a');
    await records.close();
    expect(all.filter(({ text }) => text.includes(typed))).to.deep.equal([]);
  });

  it('What Redis holds of it names nobody', async () => {
    const { email } = await newAccount(CUSTOMER);
    await fail(CUSTOMER, { email }, 2);
    const kept = Object.entries(await service().redis.dump())
      .flat()
      .join('\n');
    expect(kept).not.to.include(email);
    expect(kept).not.to.include(WRONG_PASSWORD);
  });
});

describe('The ceiling of an account, over all sources', () => {
  const service = useCodeService({ PASSWORD_QUEUE_LIMIT: '1000' });
  const client = () => service().client(CUSTOMER);
  const tryCustomer = (what: Try) => attempt(service(), CUSTOMER, what);
  const failFromEverywhere = (email: string, times: number) =>
    failFromManyNetworks(service(), CUSTOMER, email, times);

  it('When a hundred tries have failed within an hour, then every new address has to wait for the end of the hour', async () => {
    const account = await client().createAccount();
    await failFromEverywhere(account.email, 100);
    for (const index of range(3)) {
      const answer = await tryCustomer({ ...account, from: source(500 + index) });
      expectThrottled(answer);
      expect(Number(answer.headers['retry-after'])).to.be.within(3_500, 3_600);
    }
    await service().redis.passTime(3_600);
    expect((await tryCustomer({ ...account, from: source(600) })).status).to.equal(200);
  });

  it('When a hundred and sixty come at once from as many addresses, then exactly a hundred are judged', async () => {
    const { email } = await client().createAccount();
    const answers = await Promise.all(range(160).map((index) => tryCustomer({ email, from: source(index) })));
    expect(answers.filter(({ status }) => status === 401)).to.have.length(100);
    for (const answer of answers.filter(({ status }) => status !== 401)) expectThrottled(answer);
  });

  it("When it is reached, then another user's device does not count as known, and other accounts are not affected", async () => {
    const [account, other] = [await client().createAccount(), await client().createAccount()];
    const theirs = await client().openDevice(other);
    await failFromEverywhere(account.email, 100);
    expectThrottled(await tryCustomer({ ...account, fingerprint: theirs.fingerprint, from: source(900) }));
    expect((await tryCustomer({ ...other, from: source(900) })).status).to.equal(200);
  });

  it('When the e-mail is unknown, then it has the same ceiling', async () => {
    const email = uniqueEmail();
    await failFromEverywhere(email, 100);
    expectThrottled(await tryCustomer({ email, from: source(950) }));
  });

  it('When the owner signs in again and again from everywhere, then no ceiling is reached', async () => {
    const account = await client().createAccount();
    for (const index of range(110)) {
      const answer = await tryCustomer({ ...account, from: source(index), fingerprint: 'device' });
      expect(answer.status, answer.text).to.equal(200);
    }
  });
});

describe('When a sign-in cannot be judged because too many passwords are waiting', () => {
  const service = useAuthService({ BCRYPT_COST: '10', PASSWORD_QUEUE_LIMIT: '1' });

  it('Then the try is not counted', async () => {
    const { email } = await service().client(CUSTOMER).createAccount();
    let isLoaded = true;
    const load = range(12).map(async () => {
      while (isLoaded) await attempt(service(), EMPLOYEE, { email: uniqueEmail() });
    });
    let unjudged = 0;
    let judged = 0;
    while (unjudged < 2 * FREE && judged < FREE) {
      const answer = await attempt(service(), CUSTOMER, { email });
      if (answer.status === 503) unjudged += 1;
      else {
        expectWrong(answer);
        judged += 1;
      }
    }
    isLoaded = false;
    await Promise.all(load);
    expect(unjudged).to.be.at.least(1);
    for (; judged < FREE; judged += 1) expectWrong(await attempt(service(), CUSTOMER, { email }));
    expectThrottled(await attempt(service(), CUSTOMER, { email }), 1);
  });
});

/** The stories of a service that counts for itself. */
const throttlesByItself = (service: () => Service, answersWithinSeconds: number): void => {
  const inTime = async (what: Try): Promise<HttpResponse> => {
    const started = performance.now();
    const answer = await attempt(service(), CUSTOMER, what);
    expect(performance.now() - started).to.be.below(answersWithinSeconds * 1_000);
    return answer;
  };

  it('Then five failures are free and the next try has to wait, at most 900 s', async () => {
    const { email } = await service().client(CUSTOMER).createAccount();
    for (const _ of range(FREE)) expectWrong(await inTime({ email }));
    const refused = await inTime({ email });
    expectThrottled(refused);
    expect(Number(refused.headers['retry-after'])).to.be.at.most(900);
  });

  it('Then a success clears the failures, and other accounts and addresses are not affected', async () => {
    const account = await service().client(CUSTOMER).createAccount();
    for (const _ of range(2)) {
      for (const _free of range(4)) expectWrong(await inTime({ email: account.email }));
      expect((await inTime(account)).status).to.equal(200);
    }
    for (const _ of range(FREE)) expectWrong(await inTime({ email: account.email }));
    expectThrottled(await inTime(account));
    expect((await inTime({ ...account, from: source(1) })).status).to.equal(200);
    expect((await inTime(await service().client(CUSTOMER).createAccount())).status).to.equal(200);
  });

  it('Then fifty at once get no more than five judged', async () => {
    const { email } = await service().client(CUSTOMER).createAccount();
    const answers = await Promise.all(range(50).map(() => attempt(service(), CUSTOMER, { email })));
    expect(answers.filter(({ status }) => status === 401)).to.have.length(FREE);
    for (const answer of answers.filter(({ status }) => status !== 401)) expectThrottled(answer);
  });
};

describe('Failed sign-ins while Redis refuses connections', () => {
  throttlesByItself(useAuthService({ REDIS_URL: 'redis://127.0.0.1:1' }), 1);
});

describe('Failed sign-ins when Redis goes and comes back', () => {
  let redis: TestRedis;
  let proxy: InterruptibleProxy;
  let running: RunningAuthService;
  before('start auth-service on a Redis that can be taken away', async () => {
    redis = await createTestRedis();
    proxy = await createInterruptibleProxy(redis.url);
    running = await startAuthService({ REDIS_URL: proxy.url });
  });
  after('stop it', async () => {
    await running?.stop();
    await proxy?.close();
    await redis?.drop();
  });
  const service = () => running;

  it('Then they are counted without it, and with it again afterwards', async () => {
    const { email } = await service().client(CUSTOMER).createAccount();
    await waitFor('the service has its Redis', async () => (await service().failing()).length === 0);
    for (const _ of range(FREE)) expectWrong(await attempt(service(), CUSTOMER, { email }));
    expectThrottled(await attempt(service(), CUSTOMER, { email }), 1);
    await proxy.cut();
    for (const _ of range(FREE)) expectWrong(await attempt(service(), CUSTOMER, { email }));
    expectThrottled(await attempt(service(), CUSTOMER, { email }));
    await proxy.restore();
    await waitFor('it is counted in Redis again', async () => {
      await attempt(service(), CUSTOMER, { email: uniqueEmail(), from: source(1) });
      return Object.keys(await redis.dump()).some((key) => key.endsWith(`:${source(1)}`));
    });
    await endDelays(redis);
    expectWrong(await attempt(service(), CUSTOMER, { email }));
    expectThrottled(await attempt(service(), CUSTOMER, { email }), 2);
  });

  it('Then, when it freezes, sign-ins are answered within 5 s and throttled all the same', async () => {
    const account = await service().client(CUSTOMER).createAccount();
    proxy.freeze();
    const started = performance.now();
    expectWrong(await attempt(service(), CUSTOMER, { email: account.email }));
    expect(performance.now() - started).to.be.below(5_000);
    for (const _ of range(FREE - 1))
      expectWrong(await attempt(service(), CUSTOMER, { email: account.email }));
    expectThrottled(await attempt(service(), CUSTOMER, { email: account.email }));
    await proxy.restore();
  });
});
