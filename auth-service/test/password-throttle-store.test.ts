import { connectRedis } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import { waitFor } from '@platform/shared/testing/poll';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { expect } from 'chai';
import { createPasswordThrottleStore } from '../src/password-throttle/password-throttle-store.ts';
import { endDelays, FREE_ATTEMPTS, range } from './sign-in-attempts.ts';

const ACCOUNT = 'test-failures:{account}';
const PAIR = `${ACCOUNT}:192.0.2.1`;
const PENDING = `${PAIR}:undecided`;
const ATTEMPT = { subject: 'account', network: '192.0.2.1' };

describe('password throttle store', () => {
  let redis: TestRedis;
  let client: RedisClient;
  let attempts: ReturnType<typeof createPasswordThrottleStore>;
  before('connect to Redis as auth-service does', async () => {
    redis = await createTestRedis();
    client = connectRedis(redis.url, () => undefined);
    await waitFor('Redis is connected', async () => client.isReady);
    attempts = createPasswordThrottleStore(client, { keyPrefix: 'test-failures' });
  });
  beforeEach(() => redis.client.flushDb());
  after('disconnect', async () => {
    client?.destroy();
    await redis?.drop();
  });

  const begin = async (times: number) => {
    for (const _ of range(times))
      expect(await attempts.begin(ATTEMPT, false)).to.include({ kind: 'allowed' });
  };
  const getExpiries = async () => ({
    pair: await redis.client.ttl(PAIR),
    account: await redis.client.ttl(ACCOUNT),
    pending: await redis.client.ttl(PENDING),
  });
  const keys = async () => Object.keys(await redis.dump()).sort();

  it('sets an expiry of one hour for failures and of 15 s for pending attempts', async () => {
    await begin(3);
    const { pair, account, pending } = await getExpiries();
    expect(pair).to.be.within(3_590, 3_600);
    expect(account).to.be.within(3_590, 3_600);
    expect(pending).to.be.within(10, 15);
    await redis.passTime(15);
    expect(await keys()).to.deep.equal([ACCOUNT, PAIR]);
    await redis.passTime(3_600);
    expect(await keys()).to.deep.equal([]);
  });

  it("expires an account's failures an hour after the first, a network's an hour after the last", async () => {
    await begin(1);
    await attempts.fail(ATTEMPT);
    await redis.passTime(600);
    await begin(1);
    await attempts.fail(ATTEMPT);
    const { pair, account } = await getExpiries();
    expect(pair).to.be.within(3_590, 3_600);
    expect(account).to.be.within(2_990, 3_000);
  });

  for (const method of ['fail', 'succeed', 'refund'] as const)
    it(`sets an expiry on every key after ${method}`, async () => {
      await begin(3);
      await attempts[method](ATTEMPT);
      for (const key of await keys()) expect(await redis.client.ttl(key), key).to.be.above(0);
      for (const _ of range(2)) await attempts[method](ATTEMPT);
      expect(await keys()).to.not.include(PENDING);
      for (const key of await keys()) expect(await redis.client.ttl(key), key).to.be.above(0);
    });

  it('starts the delay at the response, however long the comparison takes', async () => {
    await begin(FREE_ATTEMPTS - 1);
    for (const _ of range(FREE_ATTEMPTS - 1)) await attempts.fail(ATTEMPT);
    await begin(1);
    // Simulates a comparison that takes longer than the delay that began with the attempt.
    await endDelays(redis);
    await attempts.fail(ATTEMPT);
    expect(await attempts.begin(ATTEMPT, false)).to.deep.equal({ kind: 'delayed', seconds: 1 });
  });

  it('allows a refunded attempt again', async () => {
    await begin(FREE_ATTEMPTS);
    for (const _ of range(FREE_ATTEMPTS)) await attempts.refund(ATTEMPT);
    await begin(FREE_ATTEMPTS);
  });

  it('resets the account limit of one account only', async () => {
    const other = { subject: 'other', network: '192.0.2.1' };
    await begin(2);
    await attempts.begin(other, false);
    await attempts.resetAccountLimit('account');
    expect(await keys()).to.include.members([PAIR, 'test-failures:{other}']);
    expect(await keys()).to.not.include(ACCOUNT);
  });
});
