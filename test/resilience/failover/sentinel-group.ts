import { migrateDatabase } from '@platform/shared/db/migrate';
import { waitFor } from '@platform/shared/testing/poll';
import { startSentinels } from '@platform/shared/testing/redis-engines';
import {
  HOST,
  hasRedisServer,
  type RunningRedis,
  startRedis,
  startReplica,
} from '@platform/shared/testing/redis-server';
import type { FailoverGroup, Scenario } from './scenario.ts';
import { startSinglePostgres } from './single-engines.ts';

const PROMOTION_GOAL_SECONDS = 3;
const FREEZE_GOAL_SECONDS = 10;

/** As docs/operations.md requires, so that a replaced primary accepts no code mail. */
const SETTINGS = ['min-replicas-to-write 1', 'min-replicas-max-lag 10'];

type Servers = {
  redis: readonly RunningRedis[];
  sentinels: Awaited<ReturnType<typeof startSentinels>>;
};

const createScenarios = ({ redis, sentinels }: Servers): Scenario[] => {
  const findPrimary = async (): Promise<RunningRedis | undefined> => {
    const primaryPort = await sentinels.findPrimaryPort().catch(() => undefined);
    return redis.find(({ port }) => port === primaryPort);
  };
  let replaced: RunningRedis | undefined;
  /** Resolves when Sentinel has promoted a replica. */
  const failOver = async (fault: (primary: RunningRedis) => Promise<unknown> | unknown): Promise<void> => {
    const primary = await waitFor('there is a primary', findPrimary);
    replaced = primary;
    await fault(primary);
    await waitFor(
      'Sentinel promotes a replica',
      async () => {
        const found = await findPrimary();
        return found !== undefined && found !== primary;
      },
      30,
    );
  };
  /** The former primary becomes a replica, as Sentinel makes it after some seconds. */
  const replaceReplica = async (): Promise<void> => {
    const primary = await waitFor('there is a primary', findPrimary);
    await replaced?.restart();
    await replaced?.command('REPLICAOF', HOST, String(primary.port));
    for (const replica of redis.filter((server) => server !== primary))
      await waitFor(
        'the replica is in sync',
        async () => String(await replica.command('INFO', 'replication')).includes('master_link_status:up'),
        30,
      );
    for (const sentinel of sentinels.servers)
      await waitFor(
        'the Sentinels can promote the replicas',
        async () => {
          const reply = await sentinel.command('SENTINEL', 'REPLICAS', 'mymaster');
          const known = reply as Record<string, string>[];
          return (
            known.length === redis.length - 1 &&
            known.every((replica) => replica['flags'] === 'slave' && replica['master-link-status'] === 'ok')
          );
        },
        30,
      );
  };
  const shared = { repair: replaceReplica };
  return [
    {
      name: 'redis-kill',
      goalSeconds: PROMOTION_GOAL_SECONDS,
      countedFrom: 'the promotion',
      ...shared,
      inject: async () => {
        await failOver((primary) => primary.kill());
        return Date.now();
      },
    },
    {
      name: 'redis-freeze',
      goalSeconds: FREEZE_GOAL_SECONDS,
      countedFrom: 'the freeze',
      ...shared,
      inject: async () => {
        const frozenAt = Date.now();
        await failOver((primary) => primary.freeze());
        return frozenAt;
      },
    },
    {
      name: 'redis-switchover',
      goalSeconds: PROMOTION_GOAL_SECONDS,
      countedFrom: 'the promotion',
      ...shared,
      inject: async () => {
        await failOver(() => sentinels.servers[0]?.command('SENTINEL', 'FAILOVER', 'mymaster'));
        return Date.now();
      },
    },
  ];
};

/** A Redis primary and two replicas, one of which three Sentinels promote. */
export const SENTINEL_GROUP: FailoverGroup = {
  name: 'Redis with three Sentinels',
  scenarioNames: ['redis-kill', 'redis-freeze', 'redis-switchover'],
  findObstacle: () => (hasRedisServer() ? undefined : 'redis-server is not installed'),
  start: async (dataDir) => {
    const postgres = await startSinglePostgres(dataDir);
    await migrateDatabase(postgres.url, postgres.processUrls);
    const primary = await startRedis({ settings: SETTINGS });
    const replicas = [
      await startReplica(primary, { settings: SETTINGS }),
      await startReplica(primary, { settings: SETTINGS }),
    ];
    const redis = [primary, ...replicas];
    const sentinels = await startSentinels(primary, { replicas: replicas.length });
    return {
      processUrls: postgres.processUrls,
      redisUrl: sentinels.url,
      databaseUrl: () => postgres.url,
      scenarios: createScenarios({ redis, sentinels }),
      stop: async () => {
        await sentinels.stop();
        await Promise.all([...redis.map((server) => server.stop()), postgres.stop()]);
      },
    };
  },
};
