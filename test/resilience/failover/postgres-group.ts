import { setTimeout as delay } from 'node:timers/promises';
import { migrateDatabase } from '@platform/migrate/migrate';
import { findPorts } from '../platform.ts';
import {
  findReplicationObstacle,
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from './replicated-postgres.ts';
import type { FailoverGroup, Scenario } from './scenario.ts';
import { startSingleValkey } from './single-engines.ts';

/** An HA manager notices a dead primary, and a frozen one, after this time. */
const DETECTION_MILLISECONDS = 1_000;
const STANDBY_GONE_MILLISECONDS = 25_000;
const PROMOTION_GOAL_SECONDS = 3;
const FREEZE_GOAL_SECONDS = 10;

const createScenarios = (postgres: ReplicatedPostgres): Scenario[] => {
  const afterPromotion = { goalSeconds: PROMOTION_GOAL_SECONDS, countedFrom: 'the promotion' };
  const promote = async (): Promise<number> => {
    await postgres.promote();
    return Date.now();
  };
  return [
    {
      name: 'postgres-kill',
      ...afterPromotion,
      inject: async () => {
        await postgres.primary().kill();
        await delay(DETECTION_MILLISECONDS);
        return await promote();
      },
      repair: postgres.replaceStandby,
    },
    {
      name: 'postgres-freeze',
      goalSeconds: FREEZE_GOAL_SECONDS,
      countedFrom: 'the freeze',
      inject: async () => {
        const frozenAt = Date.now();
        // It stays frozen, as a machine that stopped responding does, and is killed before it could continue.
        postgres.primary().freeze();
        await delay(DETECTION_MILLISECONDS);
        await promote();
        return frozenAt;
      },
      repair: postgres.replaceStandby,
    },
    {
      name: 'postgres-switchover',
      ...afterPromotion,
      inject: async () => {
        await postgres.primary().stop();
        return await promote();
      },
      repair: postgres.replaceStandby,
    },
    {
      name: 'standby-gone',
      goalSeconds: PROMOTION_GOAL_SECONDS,
      countedFrom: 'the return of the standby',
      isLong: true,
      inject: async () => {
        await postgres.standby().kill();
        await delay(STANDBY_GONE_MILLISECONDS);
        await postgres.restartStandby();
        return Date.now();
      },
      repair: async () => undefined,
    },
  ];
};

/** A primary and a synchronous standby, behind a URL with both hosts. */
export const POSTGRES_GROUP: FailoverGroup = {
  name: 'PostgreSQL with a synchronous standby',
  scenarioNames: ['postgres-kill', 'postgres-freeze', 'postgres-switchover', 'standby-gone'],
  findObstacle: findReplicationObstacle,
  start: async (dataDir) => {
    const [first = 0, second = 0] = await findPorts(2);
    const [postgres, valkey] = await Promise.all([
      startReplicatedPostgres({ dataDir, ports: [first, second] }),
      startSingleValkey(dataDir),
    ]);
    await migrateDatabase(postgres.primary().url, postgres.urls.processUrls);
    return {
      processUrls: postgres.urls.processUrls,
      redisUrl: valkey.url,
      databaseUrl: () => postgres.primary().url,
      scenarios: createScenarios(postgres),
      stop: async () => {
        await Promise.all([postgres.stop(), valkey.stop()]);
      },
    };
  },
};
