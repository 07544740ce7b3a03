import { SpanKind } from '@opentelemetry/api';
import type { Knex } from 'knex';
import pg from 'pg';
import { unavailable } from '../errors/app-error.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { withSpan } from '../tracing/tracing.ts';
import { acquireConnection, pingPool, queryConnection, queryPool } from './connection.ts';

/** A named statement is prepared once per connection (measured: about twice the rate of an unnamed one). */
export type Statement = { name: string; text: string; values: readonly unknown[] };

/** Runs prepared statements, or queries built with Knex. Columns of the rows are in camelCase. */
export type Database = {
  query: <Row>(statement: Statement) => Promise<Row[]>;
  execute: <Row>(query: Knex.QueryBuilder) => Promise<Row[]>;
};

export type DatabasePool = Database & {
  /** Runs `work` in one transaction; any error rolls back. Retried after a deadlock or a serialization failure. */
  transaction: <Result>(work: (database: Database) => Promise<Result>) => Promise<Result>;
  /** Resolves when Postgres responds within 500 ms and accepts writes. */
  ping: () => Promise<void>;
  stats: () => { max: number; total: number; idle: number; waiting: number };
  close: () => Promise<void>;
};

type Options = {
  url: string;
  applicationName: string;
  maxConnections: number;
  /**
   * Postgres plans a named statement once, independent of its values (`plan_cache_mode`); replanning takes twice as long
   * as execution (measured). Only for processes whose named statements all find few rows through an index.
   */
  forceGenericPlans?: boolean;
  onError: (error: Error) => void;
};

const RETRYABLE = new Set(['40001', '40P01']);
/** Classes 08 (connection), 53 (resources), 57 (operator intervention), lock_timeout, and read-only servers. */
const UNAVAILABLE = /^(08|53|57|55P03|25006)/;
const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)/;
const CLIENT_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable/;

const getErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** An unavailable Postgres becomes 503; every other error is unchanged. */
const translateError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const code = getErrorCode(error);
  const isUnavailable = UNAVAILABLE.test(code) || NETWORK.test(code) || CLIENT_MESSAGES.test(error.message);
  return isUnavailable ? unavailable('Database unavailable; retry later.', error) : error;
};

const SPAN_OPTIONS = { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } };

type RunQuery = <Row>(query: pg.QueryConfig) => Promise<Row[]>;

const toDatabase = (send: RunQuery): Database => {
  const run = async <Row>(query: pg.QueryConfig): Promise<Row[]> => {
    try {
      // The statement's name only: its values may be personal data.
      return await withSpan(query.name ?? 'postgres', SPAN_OPTIONS, () => send<Row>(query));
    } catch (error) {
      throw translateError(error);
    }
  };
  return {
    query: ({ name, text, values }) => run({ name, text, values: [...values] }),
    execute: (query) => {
      const { sql, bindings } = query.toSQL().toNative();
      return run({ text: sql, values: [...bindings] });
    },
  };
};

const runTransaction = async <Result>(
  pool: pg.Pool,
  work: (database: Database) => Promise<Result>,
): Promise<Result> => {
  const connection = await acquireConnection(pool).catch((error: unknown) => {
    throw translateError(error);
  });
  try {
    await queryConnection(connection, { text: 'begin' });
    const result = await work(toDatabase((query) => queryConnection(connection, query)));
    await queryConnection(connection, { text: 'commit' });
    return result;
  } catch (error) {
    // Postgres rolls back when the connection is closed, so a failed rollback needs no handling.
    if (!connection.error) await queryConnection(connection, { text: 'rollback' }).catch(() => undefined);
    throw translateError(error);
  } finally {
    connection.release();
  }
};

const MAX_ATTEMPTS = 3;

/** Postgres has rolled back after these errors, so that a single statement or a whole transaction can be repeated. */
const withRetries = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !RETRYABLE.has(getErrorCode(error))) throw error;
    }
  }
};

const TIMEOUTS = {
  connectionTimeoutMillis: 2_000,
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
};

export const connectDatabase = (options: Options): DatabasePool => {
  const open = (extra: pg.PoolConfig): pg.Pool => {
    const pool = new pg.Pool({
      ...TIMEOUTS,
      connectionString: options.url,
      application_name: options.applicationName,
      max: options.maxConnections,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      ...extra,
    });
    // An unhandled error of an idle connection would end the process; the pool replaces the connection.
    pool.on('error', options.onError);
    return pool;
  };
  const pool = open(options.forceGenericPlans ? { options: '-c plan_cache_mode=force_generic_plan' } : {});
  const pools = [pool];
  // Queries built with Knex are planned for their values. Their own pool keeps long searches from delaying short queries.
  let searchPool = options.forceGenericPlans ? undefined : pool;
  const sum = (read: (pool: pg.Pool) => number) => pools.reduce((total, each) => total + read(each), 0);

  const database = toDatabase((query) => queryPool(pool, query));
  const built = toDatabase((query) => {
    if (!searchPool) {
      searchPool = open({});
      pools.push(searchPool);
    }
    return queryPool(searchPool, query);
  });
  return {
    query: (statement) => withRetries(() => database.query(statement)),
    execute: (query) => withRetries(() => built.execute(query)),
    transaction: (work) => withRetries(() => runTransaction(pool, work)),
    ping: () => pingPool(pool),
    stats: () => ({
      max: sum(({ options: { max } }) => max),
      total: sum(({ totalCount }) => totalCount),
      idle: sum(({ idleCount }) => idleCount),
      waiting: sum(({ waitingCount }) => waitingCount),
    }),
    close: async () => {
      await Promise.all(pools.map((each) => each.end()));
    },
  };
};

/** Runs work in one transaction, with stores bound to it: `inTransaction(async (stores) => …)`. */
export type InTransaction<Stores> = <Result>(work: (stores: Stores) => Promise<Result>) => Promise<Result>;

export const createInTransaction =
  <Stores>(database: DatabasePool, createStores: (database: Database) => Stores): InTransaction<Stores> =>
  (work) =>
    database.transaction((transaction) => work(createStores(transaction)));

/** True when `error` is a unique violation of just that constraint or index. */
export const isUniqueViolation = (error: unknown, constraint: string): boolean =>
  error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === constraint;

export const registerDatabaseMetrics = (metrics: Metrics, { stats }: DatabasePool): void => {
  metrics.labeledGauge('database_connections', 'Open connections to Postgres', 'state', () => {
    const { total, idle } = stats();
    return { busy: total - idle, idle };
  });
  metrics.gauge('database_connections_max', 'Maximum number of connections of the pools', () => stats().max);
  metrics.gauge(
    'database_waiting',
    'Queries and transactions waiting for a connection',
    () => stats().waiting,
  );
};
