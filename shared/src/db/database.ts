import type { Knex } from 'knex';
import type { Metrics } from '../metrics/metrics.ts';
import { isPlanOutdated, translateError } from './database-errors.ts';
import { createKnex, type PoolOptions, withRetries } from './knex.ts';

/** Knex or one of its transactions. Names are camelCase here and snake_case in Postgres. */
export type Database = Knex;

const isTransaction = (database: Database): database is Knex.Transaction => database.isTransaction === true;

/**
 * SQL with its values. A named statement is prepared once per connection (measured: about twice the rate of
 * an unnamed one).
 */
export type Statement = {
  /** Omit the name if Postgres should plan the statement for its values. */
  name?: string;
  text: string;
  values: readonly unknown[];
  /** Overrides the default for requests. Postgres has a separate timeout (statement_timeout). */
  timeoutMilliseconds?: number;
  /**
   * If the commit after this statement waits for a synchronous standby, it is not cancelled: a cancelled one is
   * visible on the primary, and may be lost with it. Only for work of which one transaction runs at a time,
   * because the connection and the locks wait as well.
   */
  awaitsStandby?: boolean;
};

/** Postgres has rolled back, and the pool uses other connections from now on. */
const repeatIfPlanOutdated = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (!isPlanOutdated(error)) throw error;
    return await work();
  }
};

/**
 * Returns the rows of an SQL statement. Use it for hot paths, and for SQL that Knex's builder cannot express.
 */
export const query = async <Row>(database: Database, { text, ...options }: Statement): Promise<Row[]> => {
  // Knex passes these options to pg unchanged.
  const run = async (): Promise<Row[]> => (await database.raw(text).options(options)).rows;
  // Within a transaction, the whole transaction must be repeated.
  return await (isTransaction(database) ? run() : repeatIfPlanOutdated(run));
};

const runTransaction = async <Result>(
  database: Database,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> => {
  let failure: unknown;
  try {
    return await database.transaction((transaction) =>
      work(transaction).catch((error: unknown) => {
        failure = error;
        throw error;
      }),
    );
  } catch (error) {
    // If the connection is closed, Knex rejects with the error of its rollback instead.
    throw translateError(failure ?? error);
  }
};

/**
 * Runs work in one transaction, with stores bound to it: `inTransaction(async (stores) => …)`. Any error
 * rolls back.
 */
export type InTransaction<Stores> = <Result>(work: (stores: Stores) => Promise<Result>) => Promise<Result>;

/** Repeats the work after a deadlock, a serialization failure or an outdated plan. */
export const createInTransaction =
  <Stores>(database: Database, createStores: (transaction: Database) => Stores): InTransaction<Stores> =>
  (work) =>
    repeatIfPlanOutdated(() =>
      withRetries(() => runTransaction(database, (transaction) => work(createStores(transaction)))),
    );

/**
 * Runs `work` after the transaction has committed, and not at all if it is rolled back. Outside of a
 * transaction, runs it immediately.
 */
export const onCommit = (database: Database, work: () => void): void => {
  if (isTransaction(database)) database.executionPromise.then(work, () => undefined);
  else work();
};

/** The error closes the connection, so that after a failover the next check reaches the new primary. */
const FIND_WRITABLE = `do $$ begin
  if current_setting('transaction_read_only')::boolean then
    raise read_only_sql_transaction using message = 'Postgres is read-only';
  end if;
end $$`;
/**
 * Writes a temporary file of 1 MB, which needs no rights. A small write to a table would often fit into an
 * existing page.
 */
const FIND_DISK_SPACE = `do $$ begin
  perform set_config('work_mem', '64kB', true);
  perform from generate_series(1, 50000);
end $$`;
const CHECK_TIMEOUT_MILLISECONDS = 500;

/** Above this, second factors and tokens fail. */
const MAX_CLOCK_DIFFERENCE_SECONDS = 5;

/** Returns seconds, with an error of at most half the duration of the statement. */
const readClockDifference = async (database: Database, timeoutMilliseconds?: number): Promise<number> => {
  const text = 'select extract(epoch from clock_timestamp())::float8 as seconds';
  const statement = { name: 'clock', text, values: [], ...(timeoutMilliseconds && { timeoutMilliseconds }) };
  const sentAt = Date.now();
  const [clock] = await query<{ seconds: number }>(database, statement);
  return (sentAt + Date.now()) / 2_000 - (clock?.seconds ?? Number.NaN);
};

export const connectDatabase = (options: PoolOptions) => {
  const { db: database, disk, stats, certificateExpiresAt, close } = createKnex(options);
  const run = async (sql: string): Promise<void> => {
    await database.raw(sql).options({ timeoutMilliseconds: CHECK_TIMEOUT_MILLISECONDS });
  };
  return {
    database,
    /** Resolves when Postgres responds within 500 ms. */
    ping: () => run('select 1'),
    /** Resolves when Postgres accepts writes. After a full disk, it resolves when there is space again. */
    checkWrites: async (): Promise<void> => {
      await run(FIND_WRITABLE);
      if (!disk.isFull) return;
      await run(FIND_DISK_SPACE);
      disk.isFull = false;
    },
    /** Resolves unless the clocks differ by more than 5 s; also if the difference is unknown. */
    checkClock: async (): Promise<void> => {
      const seconds = await readClockDifference(database, CHECK_TIMEOUT_MILLISECONDS).catch(() => 0);
      if (Math.abs(seconds) > MAX_CLOCK_DIFFERENCE_SECONDS)
        throw new Error(`The clock differs from that of Postgres by ${seconds} s`);
    },
    stats,
    certificateExpiresAt,
    close,
  };
};

export type DatabasePool = ReturnType<typeof connectDatabase>;

export const registerDatabaseMetrics = (metrics: Metrics, ...pools: DatabasePool[]): void => {
  const sum = (name: keyof ReturnType<DatabasePool['stats']>) =>
    pools.reduce((total, { stats }) => total + stats()[name], 0);
  metrics.labeledGauge('database_connections', 'Open connections to Postgres', 'state', () => {
    const idle = sum('idle');
    return { busy: sum('total') - idle, idle };
  });
  metrics.gauge('database_connections_max', 'Maximum number of connections of the pools', () => sum('max'));
  const [pool] = pools;
  if (pool)
    metrics.gauge('clock_difference_seconds', 'Clock of the process minus that of Postgres', () =>
      readClockDifference(pool.database),
    );
  metrics.gauge(
    'database_certificate_expires_timestamp_seconds',
    "When the certificate of Postgres's server expires; absent without TLS",
    async () => {
      const expiresAt = pools.map(({ certificateExpiresAt }) => certificateExpiresAt()).find(Boolean);
      return expiresAt && expiresAt.getTime() / 1_000;
    },
  );
  metrics.gauge('database_waiting', 'Queries and transactions waiting for a connection', () =>
    sum('waiting'),
  );
};
