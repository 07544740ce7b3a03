import { migrateDatabase } from '@platform/migrate/migrate';
import { waitFor } from '@platform/shared/testing/poll';
import { findPatroniObstacle, type PatroniPostgres, startPatroni } from './patroni-cluster.ts';
import type { PatroniMember } from './patroni-member.ts';
import type { FailoverGroup, Scenario } from './scenario.ts';
import { startSingleValkey } from './single-engines.ts';

/**
 * The lease of a lost leader ends after 20 s. Then a standby is promoted, and the processes connect to it.
 */
const FAILOVER_GOAL_SECONDS = 30;
const SWITCHOVER_GOAL_SECONDS = 10;
const STANDBY_GOAL_SECONDS = 20;

const createScenarios = (postgres: PatroniPostgres): Scenario[] => {
  const repair = postgres.waitForStandbys;
  /** The former leader returns under load, and must not accept writes. */
  const createFailover = (
    name: string,
    fault: (leader: PatroniMember) => Promise<void> | void,
    undo: (former: PatroniMember) => Promise<void> | void,
  ): Scenario => ({
    name,
    goalSeconds: FAILOVER_GOAL_SECONDS,
    countedFrom: 'the fault',
    isLong: true,
    repair,
    inject: async () => {
      const former = postgres.leader();
      const since = Date.now();
      await fault(former);
      await postgres.waitForNextLeader();
      await undo(former);
      return since;
    },
  });
  return [
    createFailover(
      'postgres-kill',
      ({ kill }) => kill(),
      ({ start }) => start(),
    ),
    createFailover(
      'postgres-freeze',
      ({ freeze }) => freeze(),
      ({ thaw }) => thaw(),
    ),
    createFailover(
      'postgres-partition',
      ({ partition }) => partition(),
      ({ heal }) => heal(),
    ),
    {
      name: 'postgres-switchover',
      goalSeconds: SWITCHOVER_GOAL_SECONDS,
      countedFrom: 'the command',
      repair,
      inject: async () => {
        const since = Date.now();
        await postgres.leader().switchOver();
        await postgres.waitForNextLeader();
        return since;
      },
    },
    {
      name: 'standby-kill',
      goalSeconds: STANDBY_GOAL_SECONDS,
      countedFrom: 'the kill',
      repair,
      inject: async () => {
        const standby = await postgres.findSynchronousStandby();
        const since = Date.now();
        await standby?.kill();
        const isReplaced = async () => ((await postgres.findSynchronousStandby()) ?? standby) !== standby;
        await waitFor('Patroni makes the other standby synchronous', isReplaced);
        standby?.start();
        return since;
      },
    },
  ];
};

/** Three members behind a URL that names all of them, and Patroni, which promotes a synchronous standby. */
export const PATRONI_GROUP: FailoverGroup = {
  name: 'PostgreSQL with Patroni and etcd',
  scenarioNames: [
    ...['postgres-kill', 'postgres-freeze', 'postgres-partition', 'postgres-switchover', 'standby-kill'],
  ],
  findObstacle: findPatroniObstacle,
  start: async (dataDir) => {
    const [postgres, valkey] = await Promise.all([startPatroni(dataDir), startSingleValkey(dataDir)]);
    await migrateDatabase(postgres.leader().url, postgres.processUrls);
    return {
      processUrls: postgres.processUrls,
      redisUrl: valkey.url,
      databaseUrl: () => postgres.leader().url,
      scenarios: createScenarios(postgres),
      stop: async () => {
        await Promise.all([postgres.stop(), valkey.stop()]);
      },
    };
  },
};
