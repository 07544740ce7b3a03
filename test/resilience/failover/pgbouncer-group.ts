import { join } from 'node:path';
import { resolvePostgresPaths } from '@platform/dev/engines/postgres-paths';
import { migrateDatabase } from '@platform/migrate/migrate';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { findPorts } from '../platform.ts';
import { withHostsOfAll } from './hosts.ts';
import { choosePoolMode, findPgbouncerVersion, type Pgbouncer, startPgbouncer } from './pgbouncer.ts';
import type { FailoverGroup, Scenario } from './scenario.ts';
import { startSinglePostgres, startSingleValkey } from './single-engines.ts';

const SWITCH_GOAL_SECONDS = 3;
const FREEZE_GOAL_SECONDS = 10;

/** PgBouncer accepts none of these as startup parameters, so the roles have them (docs/scaling.md). */
const ROLE_SETTINGS = ['auth_service', 'admin_service', 'mailer_worker'].flatMap((role) => [
  `alter role ${role} set statement_timeout = '5s'`,
  `alter role ${role} set lock_timeout = '2s'`,
  `alter role ${role} set idle_in_transaction_session_timeout = '10s'`,
  // The kernel of a frozen PgBouncer keeps its connections to PostgreSQL alive.
  `alter role ${role} set idle_session_timeout = '5min'`,
  ...(role === 'auth_service' ? [`alter role ${role} set plan_cache_mode = force_generic_plan`] : []),
]);

const createScenarios = (poolers: readonly Pgbouncer[]): Scenario[] => {
  let target = poolers[0];
  const chooseTarget = async (): Promise<Pgbouncer> => {
    const counted = await Promise.all(
      poolers.map(async (pooler) => ({ pooler, clients: await pooler.countClients() })),
    );
    const [busiest] = counted.sort((one, other) => other.clients - one.clients);
    if (!busiest) throw new Error('There is no PgBouncer');
    target = busiest.pooler;
    return target;
  };
  const create = (
    name: string,
    fault: (pooler: Pgbouncer) => Promise<void> | void,
    goal: Pick<Scenario, 'goalSeconds' | 'countedFrom'>,
  ): Scenario => ({
    name,
    ...goal,
    inject: async () => {
      const pooler = await chooseTarget();
      const since = Date.now();
      await fault(pooler);
      return since;
    },
    repair: async () => {
      await target?.kill();
      await target?.restart();
    },
  });
  return [
    create('pgbouncer-kill', ({ kill }) => kill(), {
      goalSeconds: SWITCH_GOAL_SECONDS,
      countedFrom: 'the kill',
    }),
    create('pgbouncer-freeze', ({ freeze }) => freeze(), {
      goalSeconds: FREEZE_GOAL_SECONDS,
      countedFrom: 'the freeze',
    }),
    create('pgbouncer-switchover', ({ stop }) => stop(), {
      goalSeconds: SWITCH_GOAL_SECONDS,
      countedFrom: 'the stop',
    }),
  ];
};

/** A migrated PostgreSQL behind two PgBouncers, which are both hosts of the URLs. Migrations connect directly. */
export const startPooledPostgres = async (dataDir: string) => {
  const version = findPgbouncerVersion();
  if (!version) throw new Error('PgBouncer is not installed');
  const postgres = await startSinglePostgres(dataDir);
  const poolerPorts = await findPorts(2);
  await migrateDatabase(postgres.url, postgres.processUrls);
  for (const statement of ROLE_SETTINGS) await queryDatabase(postgres.url, statement);
  const { account } = resolvePostgresPaths(dataDir);
  const clientUrls = Object.values(postgres.processUrls);
  const poolers = await Promise.all(
    poolerPorts.map((each) =>
      startPgbouncer({
        ...{ version, databaseUrl: postgres.url, clientUrls, account },
        port: each,
        directory: join(dataDir, `pgbouncer-${each}`),
      }),
    ),
  );
  return {
    databaseUrl: postgres.url,
    processUrls: withHostsOfAll(postgres.processUrls, poolerPorts),
    poolers,
    stop: async () => {
      await Promise.all(poolers.map(({ kill }) => kill()));
      await postgres.stop();
    },
  };
};

const describe = (): string => {
  const version = findPgbouncerVersion();
  return version
    ? `${version.major}.${version.minor} in ${choosePoolMode(version)} mode`
    : 'is not installed';
};

export const PGBOUNCER_GROUP: FailoverGroup = {
  name: `PgBouncer ${describe()}`,
  scenarioNames: ['pgbouncer-kill', 'pgbouncer-freeze', 'pgbouncer-switchover'],
  findObstacle: () => (findPgbouncerVersion() ? undefined : 'pgbouncer is not installed'),
  start: async (dataDir) => {
    const postgres = await startPooledPostgres(dataDir);
    const valkey = await startSingleValkey(dataDir);
    return {
      processUrls: postgres.processUrls,
      redisUrl: valkey.url,
      databaseUrl: () => postgres.databaseUrl,
      poolers: postgres.poolers.length,
      scenarios: createScenarios(postgres.poolers),
      stop: async () => {
        await Promise.all([postgres.stop(), valkey.stop()]);
      },
    };
  },
};
