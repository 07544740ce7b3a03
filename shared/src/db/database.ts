import { type Attributes, SpanKind, type SpanOptions } from '@opentelemetry/api';
import type { Knex } from 'knex';
import pg from 'pg';
import { AppError, unavailable } from '../errors/app-error.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { withSpan } from '../tracing/tracing.ts';
import type { Query } from './connection.ts';
import { createKnex, type PoolOptions } from './knex.ts';

/** A named statement is prepared once per connection (measured: about twice the rate of an unnamed one). */
export type Statement = {
  name: string;
  text: string;
  values: readonly unknown[];
  /** Instead of the default for requests; Postgres has its own (statement_timeout). */
  timeoutMilliseconds?: number;
};

/** Runs prepared statements, or queries built with Knex. Columns of the rows are in camelCase. */
export type Database = {
  query: <Row>(statement: Statement) => Promise<Row[]>;
  execute: <Row>(query: Knex.QueryBuilder) => Promise<Row[]>;
};

type PoolStats = { max: number; total: number; idle: number; waiting: number };

export type DatabasePool = Database & {
  /** Runs `work` in one transaction; any error rolls back. Retried after a deadlock or a serialization failure. */
  transaction: <Result>(work: (database: Database) => Promise<Result>) => Promise<Result>;
  /** Resolves when Postgres responds within 500 ms and accepts writes. */
  ping: () => Promise<void>;
  stats: () => PoolStats;
  close: () => Promise<void>;
};

const RETRYABLE = new Set(['40001', '40P01']);
/** Classes 08 (connection), 53 (resources), 57 (operator intervention), lock_timeout, and read-only servers. */
const UNAVAILABLE = /^(08|53|57|55P03|25006)/;
const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(HOST|NET)(UNREACH|DOWN))/;
const CLIENT_MESSAGES =
  /timeout expired|Timeout acquiring a connection|Connection terminated|Query read timeout|not queryable/;

const getErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** An unavailable Postgres becomes 503; every other error is unchanged. */
const translateError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const code = getErrorCode(error);
  const isUnavailable = UNAVAILABLE.test(code) || NETWORK.test(code) || CLIENT_MESSAGES.test(error.message);
  return isUnavailable ? unavailable('Database unavailable; retry later.', error) : error;
};

/** Knex puts the SQL in front of the message; logs and operators need the message. */
const removeSql = (error: unknown, text: string): void => {
  if (error instanceof Error && error.message.startsWith(text))
    error.message = error.message.slice(text.length).replace(/^ - /, '');
};

/** The name of a prepared statement, or the text of a query that Knex has built: its values are parameters. */
const toSpanOptions = ({ name, text }: Query): SpanOptions => ({
  kind: SpanKind.CLIENT,
  attributes: {
    'db.system.name': 'postgresql',
    ...(name === undefined ? { 'db.query.text': text } : { 'db.query.summary': name }),
  },
});

/** SQLSTATE and constraint; the message may contain values. */
const describeSqlError = (error: unknown): Attributes =>
  error instanceof pg.DatabaseError
    ? {
        ...(error.code !== undefined && { 'db.response.status_code': error.code }),
        ...(error.constraint !== undefined && { 'marketplace.db.constraint': error.constraint }),
      }
    : {};

const toDatabase = (db: Knex): Database => {
  const run = async <Row>(query: Query): Promise<Row[]> => {
    try {
      // Knex passes the options to pg as they are.
      const work = async () => (await db.raw(query.text).options(query)) as unknown as Row[];
      return await withSpan(query.name ?? 'postgresql', () => toSpanOptions(query), work, describeSqlError);
    } catch (error) {
      removeSql(error, query.text);
      throw translateError(error);
    }
  };
  return {
    query: (statement) => run({ ...statement, values: [...statement.values] }),
    execute: (query) => {
      const { sql, bindings } = query.toSQL().toNative();
      return run({ text: sql, values: [...bindings] });
    },
  };
};

const runTransaction = async <Result>(
  db: Knex,
  work: (database: Database) => Promise<Result>,
): Promise<Result> => {
  let failure: unknown;
  try {
    return await db.transaction((transaction) =>
      work(toDatabase(transaction)).catch((error: unknown) => {
        failure = error;
        throw error;
      }),
    );
  } catch (error) {
    // On a closed connection Knex rejects with the error of its rollback.
    throw translateError(failure ?? error);
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

/** The error of a read-only server closes the connection, so that after a failover the next ping reaches the new primary. */
const PING = `do $$ begin
  if current_setting('transaction_read_only')::boolean then
    raise read_only_sql_transaction using message = 'Postgres is read-only';
  end if;
end $$`;
const PING_TIMEOUT_MILLISECONDS = 500;

export const connectDatabase = (options: PoolOptions): DatabasePool => {
  const { db, stats, close } = createKnex(options);
  const database = toDatabase(db);
  return {
    query: (statement) => withRetries(() => database.query(statement)),
    execute: (query) => withRetries(() => database.execute(query)),
    transaction: (work) => withRetries(() => runTransaction(db, work)),
    ping: async () => {
      await db.raw(PING).options({ timeoutMilliseconds: PING_TIMEOUT_MILLISECONDS });
    },
    stats,
    close,
  };
};

/** Runs work in one transaction, with stores bound to it: `inTransaction(async (stores) => …)`. */
export type InTransaction<Stores> = <Result>(work: (stores: Stores) => Promise<Result>) => Promise<Result>;

/** Runs work once the transaction has committed; not at all if it is rolled back. */
type OnCommit = (work: () => void) => void;

export const createInTransaction =
  <Stores>(
    database: DatabasePool,
    createStores: (database: Database, onCommit: OnCommit) => Stores,
  ): InTransaction<Stores> =>
  async (work) => {
    let committed: (() => void)[] = [];
    const result = await database.transaction((transaction) => {
      committed = []; // a previous attempt was rolled back
      return work(createStores(transaction, (callback) => committed.push(callback)));
    });
    for (const callback of committed) callback();
    return result;
  };

/** A statement that was too slow, or waited too long for a lock: another server would not run it faster. */
const IS_SLOW = new Set(['57014', '55P03']);

/** True when `error` is a 503 because the server cannot be reached. */
export const isDatabaseUnreachable = (error: unknown): boolean =>
  error instanceof AppError && error.cause instanceof Error && !IS_SLOW.has(getErrorCode(error.cause));

/** True when `error` is a unique violation of just that constraint or index. */
export const isUniqueViolation = (error: unknown, constraint: string): boolean =>
  error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === constraint;

export const registerDatabaseMetrics = (metrics: Metrics, ...pools: DatabasePool[]): void => {
  const sum = (name: keyof PoolStats) => pools.reduce((total, { stats }) => total + stats()[name], 0);
  metrics.labeledGauge('database_connections', 'Open connections to Postgres', 'state', () => {
    const idle = sum('idle');
    return { busy: sum('total') - idle, idle };
  });
  metrics.gauge('database_connections_max', 'Maximum number of connections of the pools', () => sum('max'));
  metrics.gauge('database_waiting', 'Queries and transactions waiting for a connection', () =>
    sum('waiting'),
  );
};
