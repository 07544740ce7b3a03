import { expect } from 'chai';
import { poll, waitFor } from '../../testing/poll.ts';
import { startSentinels } from '../../testing/redis-sentinels.ts';
import { hasRedisServer, type RunningRedis, startRedis, startReplica } from '../../testing/redis-server.ts';
import { getRejection } from '../../testing/rejection.ts';
import { connectBlockingRedis, connectRedis } from './redis.ts';
import type { RedisClient } from './redis-client.ts';
import { createReplicationWait } from './replication.ts';

const INCREMENT = "return redis.call('INCR', KEYS[1])";

describe('Redis failover', () => {
  const cleanups: (() => unknown)[] = [];
  before('require redis-server', function () {
    if (!hasRedisServer()) this.skip();
  });
  afterEach('stop the engine', async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  const keep = <Engine extends { stop: () => unknown }>(engine: Engine): Engine => {
    cleanups.push(engine.stop);
    return engine;
  };
  const connect = (url: string): RedisClient => {
    const client = connectRedis(url, () => undefined);
    cleanups.push(() => client.destroy());
    return client;
  };
  const waitUntilReady = (client: RedisClient) => waitFor('the client is connected', () => client.isReady);

  /** Runs a command repeatedly. */
  const startLoad = (client: RedisClient) => {
    const load = { succeeded: 0, failed: 0 };
    let isStopped = false;
    const run = async (): Promise<void> => {
      await poll(
        async () => {
          await client.eval(INCREMENT, { keys: ['counter'], arguments: [] }).then(
            () => (load.succeeded += 1),
            () => (load.failed += 1),
          );
          return isStopped;
        },
        { timeoutSeconds: 60, everyMilliseconds: 5 },
      );
    };
    const running = run();
    const stop = async () => {
      isStopped = true;
      await running;
    };
    return { load, stop };
  };

  /** Expects that commands fail after the fault, and succeed again. */
  const expectFailover = async (
    client: RedisClient,
    server: RunningRedis,
    fault: 'kill' | 'freeze',
  ): Promise<void> => {
    await waitUntilReady(client);
    const { load, stop } = startLoad(client);
    await waitFor('commands succeed', () => load.succeeded > 50);
    await (fault === 'kill' ? server.kill() : server.freeze());
    await waitFor('commands fail', () => load.failed > 0);
    const before = load.succeeded;
    await waitFor('commands succeed again', () => load.succeeded > before + 50);
    await stop();
  };

  for (const fault of ['kill', 'freeze'] as const)
    it(`of Sentinel: fails fast and reaches the new primary (${fault})`, async () => {
      const primary = keep(await startRedis());
      keep(await startReplica(primary));
      const { url } = keep(await startSentinels(primary));
      await expectFailover(connect(url), primary, fault);
    });

  it('of Sentinel: follows a planned failover, although the old primary is alive', async () => {
    const primary = keep(await startRedis());
    const replica = keep(await startReplica(primary));
    const sentinels = keep(await startSentinels(primary));
    const client = connect(sentinels.url);
    await waitUntilReady(client);
    await sentinels.servers[0]?.command('SENTINEL', 'FAILOVER', 'mymaster');
    // Sentinel closes the connections to the replica that it promotes.
    const ask = (...command: string[]) => replica.command(...command).catch(() => undefined);
    await waitFor('writes reach the replica', async () => {
      await client.set('key', 'value', { EX: 60 }).catch(() => undefined);
      const role = String(await ask('INFO', 'replication'));
      return role.includes('role:master') && (await ask('GET', 'key')) === 'value';
    });
  });

  it('of Sentinel: reaches the new primary when it was started during the freeze', async () => {
    const primary = keep(await startRedis());
    keep(await startReplica(primary));
    const { url } = keep(await startSentinels(primary));
    primary.freeze();
    const client = connectBlockingRedis(url, () => undefined);
    cleanups.push(() => client.destroy());
    await waitFor('the client is connected', () => client.isReady);
    expect(await client.set('key', 'value')).to.equal('OK');
  });

  it('of Sentinel: connects when the first Sentinel is down, and when all were down', async () => {
    const primary = keep(await startRedis());
    const { url, servers } = keep(await startSentinels(primary, { replicas: 0 }));
    await servers[0]?.kill();
    await waitUntilReady(connect(url));
    for (const server of servers) await server.kill();
    const late = connect(url);
    await getRejection(late.set('key', 'value', { EX: 60 }));
    for (const server of servers) await server.restart();
    await waitUntilReady(late);
  });

  const connectWithReplica = async (settings: string[]) => {
    const primary = keep(await startRedis({ settings }));
    const replica = keep(await startReplica(primary));
    const client = connectRedis(primary.url, () => undefined);
    cleanups.push(() => client.destroy());
    await waitUntilReady(client);
    // The primary begins to send writes at the first message of the replica, up to a second after the copy.
    await waitFor('the replica confirms writes', () =>
      client
        .set('key', 'value')
        .then(() => client.wait(1, 100))
        .then(
          (replicas) => replicas > 0,
          () => false,
        ),
    );
    return { client, replica, waitForReplica: createReplicationWait(client) };
  };

  it('waits for a replica, but not for a lost one', async () => {
    const { client, replica, waitForReplica } = await connectWithReplica([]);
    const measure = async (): Promise<number> => {
      await client.set('key', 'value');
      const started = performance.now();
      await waitForReplica();
      return performance.now() - started;
    };
    await measure();
    replica.freeze();
    expect(await measure()).to.be.at.least(490);
    // On a busy machine, one measurement may be slow.
    await waitFor('a write without the wait', async () => (await measure()) < 490);
  });

  it('rejects a write that no replica confirms, if min-replicas-to-write requires one', async () => {
    const { client, replica, waitForReplica } = await connectWithReplica(['min-replicas-to-write 1']);
    const write = async (): Promise<void> => {
      await client.set('key', 'value');
      await waitForReplica();
    };
    await waitFor('the replica confirms writes', () =>
      write().then(
        () => true,
        () => false,
      ),
    );
    replica.freeze();
    const error = await getRejection(write());
    expect(error).to.include({ status: 503, message: 'Mail queue unavailable; retry later.' });
  });
});
