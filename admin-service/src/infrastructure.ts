import { createBackground } from '@platform/shared/async/tasks';
import {
  connectDatabase,
  type Database,
  type InTransaction,
  registerDatabaseMetrics,
} from '@platform/shared/db/database';
import { createMigrationCheck } from '@platform/shared/db/migration-check';
import { createErrorLog } from '@platform/shared/log/repeated-errors';
import type {
  AsAdministrator,
  InTransactionBy,
} from '@platform/shared/platform/accounts/administrator-transaction';
import type { Runtime } from '@platform/shared/server/serve';

type Config = {
  databaseUrl: string;
  databaseReadUrl: string | undefined;
  databaseConnections: { short: number; lists: number; searches: number };
};

/** Connections to the primary, and to its read replica if there is one. */
export type ReadConnections = { primary: Database; replica: Database | undefined };

/** Lists and searches have separate connections, so that they do not delay each other or short queries. */
const connect = (config: Config, { log, metrics }: Runtime) => {
  const open = (url: string, maxConnections: number, forceGenericPlans = false) =>
    connectDatabase({
      url,
      applicationName: 'admin-service',
      maxConnections,
      forceGenericPlans,
      onError: (error) => log.warn({ err: error }, 'database connection lost'),
    });
  const openForReads = (maxConnections: number) => ({
    primary: open(config.databaseUrl, maxConnections),
    replica: config.databaseReadUrl === undefined ? undefined : open(config.databaseReadUrl, maxConnections),
  });
  const { short, lists, searches } = config.databaseConnections;
  const pool = open(config.databaseUrl, short, true);
  const reads = { lists: openForReads(lists), searches: openForReads(searches) };
  const pools = [pool, ...Object.values(reads.lists), ...Object.values(reads.searches)].filter(
    (each) => each !== undefined,
  );
  registerDatabaseMetrics(metrics, ...pools);
  const toReadConnections = ({ primary, replica }: typeof reads.lists): ReadConnections => ({
    primary: primary.database,
    replica: replica?.database,
  });
  return {
    pool,
    listConnections: toReadConnections(reads.lists),
    searchConnections: toReadConnections(reads.searches),
    close: async () => {
      await Promise.all(pools.map((each) => each.close()));
    },
  };
};

/** The connections and mechanisms of the whole process, which know no feature. */
export const createInfrastructure = (config: Config, runtime: Runtime) => {
  const { log, metrics, stopping = new AbortController().signal } = runtime;
  const { pool, listConnections, searchConnections, close } = connect(config, runtime);
  const { database } = pool;
  const background = createBackground(createErrorLog(log, 'background work failed'));
  return {
    log,
    metrics,
    /** Aborted when the process stops. */
    stopping,
    database,
    listConnections,
    searchConnections,
    background,
    checks: { postgres: pool.ping, migrations: createMigrationCheck(database, log) },
    optionalChecks: { 'postgres-writes': pool.checkWrites, clock: pool.checkClock },
    close: async () => {
      await background.settle();
      await close();
    },
  };
};

/** Only the commands on the server use `InTransaction`, which does not check who makes a change. */
export type { AsAdministrator, InTransaction, InTransactionBy };

export type Infrastructure = ReturnType<typeof createInfrastructure>;

/**
 * A feature is built from the infrastructure, and from the stores, settings and lists that it names. A
 * transaction needs to know by whom, so that no ADMIN changes anything after losing the power to do it.
 */
export type Base<Stores, Config = unknown, Lists = unknown> = Infrastructure & {
  config: Config;
  stores: Stores;
  lists: Lists;
  asAdministrator: AsAdministrator<Stores>;
  inTransaction: InTransactionBy<Stores>;
};
