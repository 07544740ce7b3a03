import {
  type AccountKind,
  ADMINISTRATOR,
  ALL_KINDS,
  CUSTOMER,
  EMPLOYEE,
} from '@platform/shared/testing/auth-client';
import { uniqueEmail, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import type { TestAccount } from '@platform/shared/testing/device';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import {
  dumpDatabase,
  queryDatabase,
  setBlocked,
  withFailing,
} from '@platform/shared/testing/query-database';
import { expectError, observable } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
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
} from '../../testing/sign-in-attempts.ts';

describe('sign-in throttle', () => {
  const service = useAuthService();
  const newAccount = (kind: AccountKind) => service().as(kind).createAccount();
  const fail = async (kind: AccountKind, what: Attempt, times = FREE_ATTEMPTS) => {
    for (const _ of range(times)) expectInvalidCredentials(await attemptSignIn(service(), kind, what));
  };

  const signInCustomer = (what: Attempt) => attemptSignIn(service(), CUSTOMER, what);
  /**
   * Counts the delays that have passed, each twice as long as the previous one. On a busy machine, some pass
   * during a test.
   */
  const countDelays = (started: number, firstSeconds: number): number =>
    Math.floor(Math.log2(1 + (performance.now() - started) / 1_000 / firstSeconds));

  it('returns 429 with a delay of 1 s after five failures, also for the correct password', async () => {
    const account = await newAccount(CUSTOMER);
    await fail(CUSTOMER, { email: account.email });
    expectThrottled(await signInCustomer({ email: account.email }), 1);
    expectThrottled(await signInCustomer(account), 1);
  });

  it('doubles the delay with each further failure, until a success', async () => {
    const account = await newAccount(CUSTOMER);
    const { email } = account;
    await fail(CUSTOMER, { email });
    for (const seconds of [2, 4]) {
      await endDelays(service());
      await fail(CUSTOMER, { email }, 1);
      expectThrottled(await signInCustomer({ email }), seconds);
    }
    await endDelays(service());
    await service().as('customer').openDevice(account);
    await fail(CUSTOMER, { email });
    expectThrottled(await signInCustomer({ email }), 1);
  });

  it('returns the same responses for an unknown e-mail', async () => {
    const { email } = await newAccount(CUSTOMER);
    const unknown = uniqueEmail();
    for (const round of range(9)) {
      if (round >= 6) await endDelays(service());
      const [known, other] = [await signInCustomer({ email }), await signInCustomer({ email: unknown })];
      expect(observable(other)).to.deep.equal(observable(known));
      expect(other.headers['retry-after']).to.equal(known.headers['retry-after']);
      expect(known.status).to.equal(round < FREE_ATTEMPTS || round >= 6 ? 401 : 429);
    }
  });

  it('does not count rejected attempts: the delay neither grows nor restarts', async () => {
    const { email } = await newAccount(CUSTOMER);
    await fail(CUSTOMER, { email });
    await endDelays(service());
    await fail(CUSTOMER, { email }, 1);
    await extendDelays(service());
    const waits: number[] = [];
    for (const _ of range(12)) {
      const response = await signInCustomer({ email });
      expectThrottled(response);
      waits.push(Number(response.headers['retry-after']));
    }
    expect(waits).to.deep.equal(waits.toSorted((one, other) => other - one));
    await endDelays(service());
    await fail(CUSTOMER, { email }, 1);
    expectThrottled(await signInCustomer({ email }), 4);
  });

  it('does not affect other addresses and other accounts', async () => {
    const [account, otherAccount] = [await newAccount(CUSTOMER), await newAccount(CUSTOMER)];
    await fail(CUSTOMER, { email: account.email, from: getAddress(1) });
    await extendDelays(service());
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
    await extendDelays(service());
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

  /** Pretends that as many attempts as are free are still being verified. */
  const setPending = ({ userId }: TestAccount, scope: 'network' | 'account', failures: number, seconds = 0) =>
    queryDatabase(
      service().databaseUrl,
      `update failed_guesses set failures = $1, pending = $1, attempted_at = now() - make_interval(secs => $2)
        where scope = $3 and (scope = 'network' or subject = $4)`,
      [failures, seconds, scope, userId],
    );

  it('rejects the sixth of concurrent attempts at once, although the first five may be correct', async () => {
    const account = await newAccount(CUSTOMER);
    await fail(CUSTOMER, { email: account.email }, 1);
    await setPending(account, 'network', FREE_ATTEMPTS);
    expectThrottled(await signInCustomer(account), 1);
    expect((await signInCustomer({ ...account, from: '198.18.9.9' })).status).to.equal(200);
  });

  it('accepts five concurrent sign-ins with the correct password, again and again', async () => {
    const account = await newAccount(CUSTOMER);
    for (const _ of range(3)) {
      const responses = await Promise.all(range(FREE_ATTEMPTS).map(() => signInCustomer(account)));
      expect(new Set(responses.map(({ status }) => status))).to.deep.equal(new Set([200]));
    }
  });

  it('admits a known device while strangers have a hundred attempts pending at the account', async () => {
    const account = await newAccount(CUSTOMER);
    const { fingerprint } = await service().as('customer').openDevice(account);
    await fail(CUSTOMER, { email: account.email }, 1);
    await setPending(account, 'account', 100);
    await endDelays(service());
    expectThrottled(await signInCustomer(account), 1);
    expect((await signInCustomer({ ...account, fingerprint })).status).to.equal(200);
  });

  it('forgets the pending attempts of a crashed process after 15 s', async () => {
    const account = await newAccount(CUSTOMER);
    await fail(CUSTOMER, { email: account.email }, 1);
    await setPending(account, 'network', FREE_ATTEMPTS, 16);
    await fail(CUSTOMER, { email: account.email }, 1);
    await endDelays(service());
    await service().as('customer').openDevice(account);
  });

  const UNCOUNTED: [
    name: string,
    attempt: (account: TestAccount) => Promise<HttpResponse>,
    expected: [number, string],
  ][] = [
    [
      'the correct password of a blocked user',
      async (account) => {
        await setBlocked(service().databaseUrl, account.userId, true);
        return await signInCustomer(account);
      },
      [401, 'USER_BLOCKED'],
    ],
    [
      'the correct password without a platform role',
      (account) => attemptSignIn(service(), ADMINISTRATOR, account),
      [403, 'PLATFORM_ROLE_INVALID'],
    ],
    ['validation errors', ({ email }) => signInCustomer({ email, password: '' }), [400, 'VALIDATION_FAILED']],
    [
      'domains that are not allowed',
      () => attemptSignIn(service(), ADMINISTRATOR, { email: 'someone@elsewhere.example' }),
      [403, 'DOMAIN_NOT_ALLOWED'],
    ],
  ];
  for (const [name, attempt, expected] of UNCOUNTED)
    it(`does not count ${name}`, async () => {
      const account = await newAccount(CUSTOMER);
      for (const _ of range(FREE_ATTEMPTS + 1)) expectError(await attempt(account), ...expected);
    });

  it('stores neither unknown e-mails nor passwords', async () => {
    const email = uniqueEmail();
    await fail(CUSTOMER, { email }, 2);
    const kept = (await dumpDatabase(service().databaseUrl)).filter(
      ({ table }) => table === 'failed_guesses',
    );
    const text = kept.map(({ row }) => row).join('\n');
    expect(text).to.include('email');
    expect(text).not.to.include(email);
    expect(text).not.to.include(WRONG_PASSWORD);
  });

  it('counts unknown e-mails by network only while the table is full', async () => {
    const { databaseUrl } = service();
    const setRows = (rows: number) =>
      queryDatabase(databaseUrl, "update pg_class set reltuples = $1 where relname = 'failed_guesses'", [
        rows,
      ]);
    const email = uniqueEmail();
    await setRows(1_000_000);
    try {
      const query = "select 1 from failed_guesses where scope = 'email'";
      const before = await queryDatabase(databaseUrl, query);
      await fail(CUSTOMER, { email });
      expectThrottled(await signInCustomer({ email }), 1);
      expect(await queryDatabase(databaseUrl, query)).to.have.length(before.length);
    } finally {
      await setRows(-1);
    }
  });

  it('returns 500 if the failures cannot be cleared although the database is available', async () => {
    const account = await newAccount(CUSTOMER);
    await withFailing(service().databaseUrl, 'delete', 'failed_guesses', async () =>
      expectError(await signInCustomer(account), 500, 'INTERNAL_ERROR'),
    );
  });

  it('leaves no row after a success', async () => {
    const { databaseUrl } = service();
    await queryDatabase(databaseUrl, 'delete from failed_guesses');
    const account = await newAccount(CUSTOMER);
    await fail(CUSTOMER, { email: account.email }, 1);
    await service().as('customer').openDevice(account);
    expect(await queryDatabase(databaseUrl, 'select scope from failed_guesses')).to.deep.equal([]);
  });
});

describe('sign-in throttle with a full password queue', () => {
  const service = useAuthService({ BCRYPT_COST: '10', PASSWORD_QUEUE_LIMIT: '1' });

  it('does not count attempts that return 503', async () => {
    const { email } = await service().as('customer').createAccount();
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
