import {
  createInterruptibleProxy,
  type InterruptibleProxy,
} from '@platform/shared/testing/interruptible-proxy';
import { waitFor } from '@platform/shared/testing/poll';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { expect } from 'chai';
import type { Gateway } from '../../testing/start-gateway.ts';
import {
  expectRateLimited,
  parseRateLimit,
  range,
  SIGN_IN,
  useGateways,
} from '../../testing/use-gateways.ts';

describe('rate limits of several gateways', () => {
  const { start, get, getStatuses } = useGateways();
  let redis: TestRedis;
  let proxy: InterruptibleProxy;
  before('create a Redis database', async () => {
    redis = await createTestRedis();
    proxy = await createInterruptibleProxy(redis.url);
  });
  beforeEach('flush the database', () => redis.client.flushDb());
  after('drop the database', async () => {
    await proxy.close();
    await redis.drop();
  });
  /** Each call uses another client address, so that it does not affect the counters of the tests. */
  const waitUntilCountingInRedis = (gateway: Gateway) =>
    waitFor('the gateway counts in Redis', async () => {
      await get(gateway, SIGN_IN, { 'X-Forwarded-For': '192.0.2.200' });
      return (await redis.client.del('limit:sign-in:192.0.2.200')) === 1;
    });
  const startTwo = async (redisUrl: string) => {
    const options = { redisUrl, trustedProxyHops: 1 };
    const gateways = [await start(options), await start(options)] as const;
    for (const gateway of gateways) await waitUntilCountingInRedis(gateway);
    return gateways;
  };

  it('allow exactly the limit of concurrent requests to two gateways', async () => {
    const [one, other] = await startTwo(redis.url);
    const responses = await Promise.all(range(30).map((index) => get(index % 2 ? one : other, SIGN_IN)));
    expect(responses.filter(({ status }) => status === 200)).to.have.length(6);
    for (const response of responses.filter(({ status }) => status !== 200)) expectRateLimited(response);
  });

  it('counts the overall limit in each gateway, not in Redis', async () => {
    const [one, other] = await startTwo(redis.url);
    await get(one, '/api/v1/users');
    const { remaining } = parseRateLimit(await get(one, '/api/v1/users'));
    expect(parseRateLimit(await get(other, '/api/v1/users')).remaining).to.be.above(remaining);
    expect(Object.keys(await redis.dump())).to.deep.equal([]);
  });

  it('counts in memory while Redis is unavailable and in Redis after it recovers', async () => {
    const [one] = await startTwo(proxy.url);
    await proxy.cut();
    expect(await getStatuses(one, SIGN_IN, 8)).to.deep.equal([200, 200, 200, 200, 200, 200, 429, 429]);
    await proxy.restore();
    await waitUntilCountingInRedis(one);
    expect((await get(one, SIGN_IN)).status).to.equal(200);
  });

  it('responds and still limits while Redis is frozen', async () => {
    const [one] = await startTwo(proxy.url);
    proxy.freeze();
    const responses = await Promise.all(range(9).map(() => get(one, SIGN_IN)));
    expect(responses.filter(({ status }) => status === 200)).to.have.length(6);
    await proxy.restore();
  });

  it('limits in memory when Redis was never available', async () => {
    const gateway = await start({ redisUrl: 'redis://127.0.0.1:1' });
    const statuses = await getStatuses(gateway, SIGN_IN, 8);
    expect(statuses).to.deep.equal([200, 200, 200, 200, 200, 200, 429, 429]);
  });
});
