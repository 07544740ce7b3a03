import { setImmediate as untilSent } from 'node:timers/promises';
import {
  createInterruptibleProxy,
  type InterruptibleProxy,
} from '@platform/shared/testing/interruptible-proxy';
import { waitFor } from '@platform/shared/testing/poll';
import { getRejection } from '@platform/shared/testing/rejection';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { expect } from 'chai';
import { connectRedis, untilReady } from './redis.ts';
import type { RedisClient } from './redis-client.ts';

/** Longer than a response may take before it counts as late. */
const STANDSTILL_MILLISECONDS = 1_200;

const blockEventLoop = (milliseconds: number): void => {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
};

describe('frozen Redis', () => {
  let redis: TestRedis;
  let proxy: InterruptibleProxy;
  let client: RedisClient;
  let direct: RedisClient;
  before('connect with and without a proxy', async () => {
    redis = await createTestRedis();
    proxy = await createInterruptibleProxy(redis.url);
    [client, direct] = [proxy.url, redis.url].map((url) => connectRedis(url, () => undefined)) as [
      RedisClient,
      RedisClient,
    ];
    await Promise.all([client, direct].map(untilReady));
  });
  after('close all', async () => {
    for (const each of [client, direct]) each.destroy();
    await proxy.close();
    await redis.drop();
  });

  it('loses its connection, although a command follows another, and gets it back', async () => {
    proxy.freeze();
    const load = setInterval(() => void client.get('key').catch(() => undefined), 100);
    try {
      await waitFor('the connection is given up', async () => !client.isReady);
      expect((await getRejection(client.get('key')))?.message).to.match(/offline|closed/i);
      expect(await direct.get('key'), 'another client').to.equal(null);
      await proxy.restore();
      await waitFor('the connection is back', async () => client.isReady);
      expect(await client.get('key')).to.equal(null);
    } finally {
      clearInterval(load);
    }
  });

  it('is not taken for one when this process itself has stood still', async () => {
    const earlier = direct.get('key');
    await untilSent();
    blockEventLoop(STANDSTILL_MILLISECONDS);
    expect(await direct.get('key')).to.equal(null);
    expect(await earlier).to.equal(null);
  });
});
