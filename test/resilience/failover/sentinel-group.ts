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

type Servers = {
  redis: readonly [RunningRedis, RunningRedis];
  sentinels: Awaited<ReturnType<typeof startSentinels>>;
};

const createScenarios = ({ redis, sentinels }: Servers): Scenario[] => {
  const isPromoted = async ({ port }: RunningRedis): Promise<boolean> =>
    (await sentinels.findPrimaryPort().catch(() => undefined)) === port;
  const findRoles = async () => {
    const port = await sentinels.findPrimaryPort();
    const [first, second] = redis;
    return first.port === port ? { primary: first, replica: second } : { primary: second, replica: first };
  };
  /** Resolves when Sentinel has promoted the replica. */
  const failOver = async (fault: (primary: RunningRedis) => Promise<unknown> | unknown): Promise<void> => {
    const { primary, replica } = await findRoles();
    await fault(primary);
    await waitFor('Sentinel promotes the replica', () => isPromoted(replica), 30);
  };
  /** The former primary becomes a replica, as Sentinel makes it after some seconds. */
  const replaceReplica = async (): Promise<void> => {
    const { primary, replica } = await findRoles();
    await replica.restart();
    await replica.command('REPLICAOF', HOST, String(primary.port));
    await waitFor(
      'the replica is in sync',
      async () => String(await replica.command('INFO', 'replication')).includes('master_link_status:up'),
      30,
    );
    for (const sentinel of sentinels.servers)
      await waitFor(
        'the Sentinels can promote the replica',
        async () => {
          const [known] = (await sentinel.command('SENTINEL', 'REPLICAS', 'mymaster')) as Record<
            string,
            string
          >[];
          return known?.['flags'] === 'slave' && known['master-link-status'] === 'ok';
        },
        30,
      );
  };
  const shared = { losesRedisWrites: true, repair: replaceReplica };
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

/** A Redis primary and its replica, which three Sentinels promote. */
export const SENTINEL_GROUP: FailoverGroup = {
  name: 'Redis with three Sentinels',
  scenarioNames: ['redis-kill', 'redis-freeze', 'redis-switchover'],
  findObstacle: () => (hasRedisServer() ? undefined : 'redis-server is not installed'),
  start: async (dataDir) => {
    const postgres = await startSinglePostgres(dataDir);
    await migrateDatabase(postgres.url, postgres.processUrls);
    const first = await startRedis();
    const second = await startReplica(first);
    const sentinels = await startSentinels(first);
    return {
      processUrls: postgres.processUrls,
      redisUrl: sentinels.url,
      databaseUrl: () => postgres.url,
      scenarios: createScenarios({ redis: [first, second], sentinels }),
      stop: async () => {
        await sentinels.stop();
        await Promise.all([first.stop(), second.stop(), postgres.stop()]);
      },
    };
  },
};
