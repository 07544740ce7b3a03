import { migrateDatabase } from '@platform/migrate/migrate';
import { waitFor } from '@platform/shared/testing/poll';
import { startSentinels } from '@platform/shared/testing/redis-sentinels';
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

type Servers = {
  redis: readonly RunningRedis[];
  sentinels: Awaited<ReturnType<typeof startSentinels>>;
};

const createScenarios = ({ redis, sentinels }: Servers): Scenario[] => {
  let former = redis[0];
  const findPrimary = async (): Promise<RunningRedis> => {
    const port = await sentinels.findPrimaryPort();
    const primary = redis.find((server) => server.port === port);
    if (!primary) throw new Error(`No server has port ${port}`);
    return primary;
  };
  /** Resolves when Sentinel has promoted a replica. */
  const failOver = async (fault: (primary: RunningRedis) => Promise<unknown> | unknown): Promise<void> => {
    const primary = await findPrimary();
    former = primary;
    await fault(primary);
    await waitFor('Sentinel promotes a replica', async () => (await findPrimary()) !== primary, 30);
  };
  /** Makes the former primary a replica, as Sentinel does after some seconds. */
  const replaceReplica = async (): Promise<void> => {
    const primary = await findPrimary();
    await former?.restart();
    await former?.command('REPLICAOF', HOST, String(primary.port));
    for (const sentinel of sentinels.servers)
      await waitFor(
        'the Sentinels can promote all replicas',
        async () => {
          const known = (await sentinel.command('SENTINEL', 'REPLICAS', 'mymaster')) as Record<
            string,
            string
          >[];
          return known.every(
            (replica) => replica['flags'] === 'slave' && replica['master-link-status'] === 'ok',
          );
        },
        30,
      );
  };
  return [
    {
      name: 'redis-kill',
      goalSeconds: PROMOTION_GOAL_SECONDS,
      countedFrom: 'the promotion',
      repair: replaceReplica,
      inject: async () => {
        await failOver((primary) => primary.kill());
        return Date.now();
      },
    },
    {
      name: 'redis-freeze',
      goalSeconds: FREEZE_GOAL_SECONDS,
      countedFrom: 'the freeze',
      repair: replaceReplica,
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
      repair: replaceReplica,
      inject: async () => {
        await failOver(() => sentinels.servers[0]?.command('SENTINEL', 'FAILOVER', 'mymaster'));
        return Date.now();
      },
    },
  ];
};

/**
 * A code mail is accepted when one replica has it. With two replicas, one can be promoted, and the other
 * confirms.
 */
const SETTINGS = ['min-replicas-to-write 1', 'min-replicas-max-lag 10'];

/** A Redis primary and its three replicas. Three Sentinels promote one of them. */
export const SENTINEL_GROUP: FailoverGroup = {
  name: 'Redis with three Sentinels',
  scenarioNames: ['redis-kill', 'redis-freeze', 'redis-switchover'],
  findObstacle: () => (hasRedisServer() ? undefined : 'redis-server is not installed'),
  start: async (dataDir) => {
    const postgres = await startSinglePostgres(dataDir);
    await migrateDatabase(postgres.url, postgres.processUrls);
    const primary = await startRedis({ settings: SETTINGS });
    // With two replicas, the other one sometimes follows the new primary only after 10 s, and writes are
    // rejected until then.
    const startOneReplica = () => startReplica(primary, { settings: SETTINGS });
    const replicas = [await startOneReplica(), await startOneReplica(), await startOneReplica()];
    const redis = [primary, ...replicas];
    const sentinels = await startSentinels(primary, { replicas: replicas.length });
    return {
      processUrls: postgres.processUrls,
      redisUrl: sentinels.url,
      databaseUrl: () => postgres.url,
      scenarios: createScenarios({ redis, sentinels }),
      stop: async () => {
        await sentinels.stop();
        await Promise.all([...redis, postgres].map(({ stop }) => stop()));
      },
    };
  },
};
