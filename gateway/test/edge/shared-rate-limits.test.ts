import { startTestValkey } from '@platform/dev/testing/test-valkey';
import {
  createInterruptibleProxy,
  type InterruptibleProxy,
} from '@platform/shared/testing/interruptible-proxy';
import { waitFor } from '@platform/shared/testing/poll';
import { runRedisCommand } from '@platform/shared/testing/redis-server';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { expect } from 'chai';
import type { Gateway } from '../start-gateway.ts';
import { expectRateLimited, parseRateLimit, range, SIGN_IN, useGateways } from '../use-gateways.ts';

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
  /** Uses a separate client address, so that the counters of the tests are not affected. */
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

  it('applies a route limit across both gateways', async () => {
    const [one, other] = await startTwo(redis.url);
    for (const _ of range(3)) {
      expect((await get(one, SIGN_IN)).status).to.equal(200);
      expect((await get(other, SIGN_IN)).status).to.equal(200);
    }
    for (const gateway of [one, other]) expectRateLimited(await get(gateway, SIGN_IN));
  });

  it('allows exactly the limit of concurrent requests', async () => {
    const [one, other] = await startTwo(redis.url);
    const responses = await Promise.all(range(30).map((index) => get(index % 2 ? one : other, SIGN_IN)));
    expect(responses.filter(({ status }) => status === 200)).to.have.length(6);
    for (const response of responses.filter(({ status }) => status !== 200)) expectRateLimited(response);
  });

  it('ends the window a minute after its first request although requests go on', async () => {
    const [one] = await startTwo(redis.url);
    expect(await getStatuses(one, SIGN_IN, 6)).to.deep.equal(range(6).map(() => 200));
    await redis.passTime(50);
    expectRateLimited(await get(one, SIGN_IN));
    expect(await redis.client.ttl('limit:sign-in:127.0.0.1')).to.be.at.most(10);
    await redis.passTime(10);
    expect((await get(one, SIGN_IN)).status).to.equal(200);
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
    const statuses: number[] = [];
    for (const _ of range(8)) {
      statuses.push((await get(one, SIGN_IN)).status);
    }
    expect(statuses.filter((status) => status === 200)).to.have.length(6);
    expect(statuses.slice(6)).to.deep.equal([429, 429]);
    await proxy.restore();
    await waitUntilCountingInRedis(one);
    expect((await get(one, SIGN_IN)).status).to.equal(200);
  });

  it('responds and still limits while Redis is frozen', async () => {
    const [one] = await startTwo(proxy.url);
    proxy.freeze();
    const statuses = await Promise.all(
      range(9).map(async () => {
        const { status } = await get(one, SIGN_IN);
        return status;
      }),
    );
    expect(statuses.filter((status) => status === 200)).to.have.length(6);
    await proxy.restore();
  });

  it('counts in memory while Redis is read-only or out of memory, and in Redis afterwards', async () => {
    const valkey = await startTestValkey();
    const faults = [
      [
        ['REPLICAOF', '127.0.0.1', '1'],
        ['REPLICAOF', 'NO', 'ONE'],
      ],
      [
        ['CONFIG', 'SET', 'maxmemory', '1'],
        ['CONFIG', 'SET', 'maxmemory', '0'],
      ],
    ] as const;
    try {
      for (const [begin, end] of faults) {
        const gateway = await start({ redisUrl: valkey.url });
        await runRedisCommand(valkey.url, ...begin);
        const statuses = await getStatuses(gateway, SIGN_IN, 8);
        expect(statuses, begin.join(' ')).to.deep.equal([200, 200, 200, 200, 200, 200, 429, 429]);
        await runRedisCommand(valkey.url, ...end);
        await runRedisCommand(valkey.url, 'FLUSHALL');
        expect(await getStatuses(gateway, SIGN_IN, 1)).to.deep.equal([200]);
        expect(await runRedisCommand(valkey.url, 'DBSIZE')).to.equal(1);
      }
    } finally {
      await valkey.stop();
    }
  });

  it('limits in memory when Redis was never available', async () => {
    const gateway = await start({ redisUrl: 'redis://127.0.0.1:1' });
    const statuses = await getStatuses(gateway, SIGN_IN, 8);
    expect(statuses).to.deep.equal([200, 200, 200, 200, 200, 200, 429, 429]);
  });
});
