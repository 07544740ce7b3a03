import { startTestValkey } from '@platform/dev/testing/test-valkey';
import { connectRedis, untilReady } from '@platform/shared/redis/redis';
import { createRedisMemoryCheck } from '@platform/shared/redis/redis-memory';
import { getRejection } from '@platform/shared/testing/rejection';
import { expect } from 'chai';

describe('readiness check of the memory of Redis', () => {
  let valkey: Awaited<ReturnType<typeof startTestValkey>>;
  before(async () => {
    valkey = await startTestValkey();
  });
  after(() => valkey.stop());

  it('fails from three quarters on, and passes without a limit', async () => {
    const client = connectRedis(valkey.url, () => undefined);
    await untilReady(client);
    const check = createRedisMemoryCheck(client);
    await check();
    await client.set('large', 'x'.repeat(4_000_000));
    const used = Number(/^used_memory:(\d+)/m.exec(await client.info('memory'))?.[1]);
    await client.configSet('maxmemory', String(Math.round(used / 0.7)));
    await check();
    await client.configSet('maxmemory', String(Math.round(used / 0.8)));
    expect(await getRejection(check())).to.match(/^Error: Redis uses \d+ of \d+ bytes$/);
    client.destroy();
  });
});
