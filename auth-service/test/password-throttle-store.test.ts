import { connectRedis, type RedisClient } from '@platform/shared/redis/redis';
import { waitFor } from '@platform/shared/testing/poll';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { expect } from 'chai';
import {
  createPasswordThrottleStore,
  type PasswordThrottleStore,
} from '../src/password-throttle/password-throttle-store.ts';
import { endDelays, FREE, range } from './password-attempts.ts';

const ACCOUNT = 'test-failures:{account}';
const PAIR = `${ACCOUNT}:192.0.2.1`;
const PENDING = `${PAIR}:undecided`;
const ATTEMPT = { subject: 'account', network: '192.0.2.1' };

describe('password throttle store', () => {
  let redis: TestRedis;
  let client: RedisClient;
  let failures: PasswordThrottleStore;
  before('connect to Redis as auth-service does', async () => {
    redis = await createTestRedis();
    client = connectRedis(redis.url, () => undefined);
    await waitFor('Redis is connected', async () => client.isReady);
    failures = createPasswordThrottleStore(client, (subject) => `test-failures:{${subject}}`);
  });
  beforeEach(() => redis.client.flushDb());
  after('disconnect', async () => {
    client?.destroy();
    await redis?.drop();
  });

  const begin = async (times: number) => {
    for (const _ of range(times))
      expect(await failures.begin(ATTEMPT, false)).to.include({ kind: 'allowed' });
  };
  const secondsLeft = async () => ({
    pair: await redis.client.ttl(PAIR),
    account: await redis.client.ttl(ACCOUNT),
    pending: await redis.client.ttl(PENDING),
  });
  const keys = async () => Object.keys(await redis.dump()).sort();

  it('lets every key expire: the failures after an hour, the pending attempts after 15 s', async () => {
    await begin(3);
    const { pair, account, pending } = await secondsLeft();
    expect(pair).to.be.within(3_590, 3_600);
    expect(account).to.be.within(3_590, 3_600);
    expect(pending).to.be.within(10, 15);
    await redis.passTime(15);
    expect(await keys()).to.deep.equal([ACCOUNT, PAIR]);
    await redis.passTime(3_600);
    expect(await keys()).to.deep.equal([]);
  });

  it("counts an account's hour from the first failure, and a network's from the last one", async () => {
    await begin(1);
    await failures.fail(ATTEMPT);
    await redis.passTime(600);
    await begin(1);
    await failures.fail(ATTEMPT);
    const { pair, account } = await secondsLeft();
    expect(pair).to.be.within(3_590, 3_600);
    expect(account).to.be.within(2_990, 3_000);
  });

  for (const how of ['fail', 'succeed', 'refund'] as const)
    it(`leaves no key without an expiry after ${how}`, async () => {
      await begin(3);
      await failures[how](ATTEMPT);
      for (const key of await keys()) expect(await redis.client.ttl(key), key).to.be.above(0);
      for (const _ of range(2)) await failures[how](ATTEMPT);
      expect(await keys()).to.not.include(PENDING);
      for (const key of await keys()) expect(await redis.client.ttl(key), key).to.be.above(0);
    });

  it('counts the delay from the response: a comparison that outlasted it does not use it up', async () => {
    await begin(FREE - 1);
    for (const _ of range(FREE - 1)) await failures.fail(ATTEMPT);
    await begin(1);
    // As if the comparison had taken longer than the delay that began with the attempt.
    await endDelays(redis);
    await failures.fail(ATTEMPT);
    expect(await failures.begin(ATTEMPT, false)).to.deep.equal({ kind: 'delayed', seconds: 1 });
  });

  it('gives a refunded attempt back', async () => {
    await begin(FREE);
    for (const _ of range(FREE)) await failures.refund(ATTEMPT);
    await begin(FREE);
  });

  it('lifts the account limit of one account alone', async () => {
    const other = { subject: 'other', network: '192.0.2.1' };
    await begin(2);
    await failures.begin(other, false);
    await failures.liftAccountLimit('account');
    expect(await keys()).to.include.members([PAIR, 'test-failures:{other}']);
    expect(await keys()).to.not.include(ACCOUNT);
  });
});
