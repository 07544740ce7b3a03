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

describe('frozen Redis', () => {
  let redis: TestRedis;
  let proxy: InterruptibleProxy;
  let client: RedisClient;
  before('connect through a proxy', async () => {
    redis = await createTestRedis();
    proxy = await createInterruptibleProxy(redis.url);
    client = connectRedis(proxy.url, () => undefined);
    await untilReady(client);
  });
  after('close all', async () => {
    client.destroy();
    await proxy.close();
    await redis.drop();
  });

  it('loses its connection, although a command follows another, and gets it back', async () => {
    proxy.freeze();
    const load = setInterval(() => void client.get('key').catch(() => undefined), 100);
    try {
      await waitFor('the connection is given up', async () => !client.isReady);
      expect((await getRejection(client.get('key')))?.message).to.match(/offline|closed/i);
      await proxy.restore();
      await waitFor('the connection is back', async () => client.isReady);
      expect(await client.get('key')).to.equal(null);
    } finally {
      clearInterval(load);
    }
  });
});
