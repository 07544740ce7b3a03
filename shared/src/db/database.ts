import { SpanKind } from '@opentelemetry/api';
import type { Knex } from 'knex';
import pg from 'pg';
import { unavailable } from '../errors/app-error.ts';
import { withSpan } from '../tracing/tracing.ts';
import { acquireConnection, queryConnection, queryPool } from './connection.ts';

/** A statement with a name is prepared once per connection (measured: about twice the rate of an unnamed one). */
export type Statement = { name: string; text: string; values: readonly unknown[] };

/** What a store may do: run a prepared statement, or one that knex built. Rows come back in camelCase. */
export type Database = {
  query: <Row>(statement: Statement) => Promise<Row[]>;
  execute: <Row>(query: Knex.QueryBuilder) => Promise<Row[]>;
};

export type DatabasePool = Database & {
  /** Runs `work` in one transaction; any throw rolls back. Retried when Postgres asks for it (deadlock, serialization). */
  transaction: <Result>(work: (database: Database) => Promise<Result>) => Promise<Result>;
  /** Resolves when Postgres answers within 500 ms. */
  ping: () => Promise<void>;
  stats: () => { max: number; total: number; idle: number; waiting: number };
  close: () => Promise<void>;
};

type Options = {
  url: string;
  applicationName: string;
  maxConnections: number;
  /**
   * Named statements are planned once, whatever their values, instead of anew whenever Postgres thinks that this might pay
   * (measured: twice what it takes to run them). For a process all of whose named statements find few rows by an index.
   */
  forceGenericPlans?: boolean;
  onError: (error: Error) => void;
};

const RETRYABLE = new Set(['40001', '40P01']);
/** Classes 08 (connection), 53 (resources), 57 (operator intervention), and lock_timeout. */
const UNAVAILABLE = /^(08|53|57|55P03)/;
const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)/;
const CLIENT_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable/;

const getErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Postgres that cannot serve becomes 503; every other error passes as it is. */
const translateError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const code = getErrorCode(error);
  const away = UNAVAILABLE.test(code) || NETWORK.test(code) || CLIENT_MESSAGES.test(error.message);
  return away ? unavailable('The database cannot serve right now', error) : error;
};

const SPAN_OPTIONS = { kind: SpanKind.CLIENT, attributes: { 'db.system.name': 'postgresql' } };

type Run = <Row>(query: pg.QueryConfig) => Promise<Row[]>;

const toDatabase = (send: Run): Database => {
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
    // A connection with a fault is closed, as is one that cannot roll back: then Postgres rolls back by itself.
    if (!connection.error) await queryConnection(connection, { text: 'rollback' }).catch(() => undefined);
    throw translateError(error);
  } finally {
    connection.release();
  }
};

const MAX_ATTEMPTS = 3;

/** Postgres has rolled back what it asks to be tried again, so a statement by itself or a whole transaction may be. */
const withRetries = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !RETRYABLE.has(getErrorCode(error))) throw error;
    }
  }
};

/** Every wait is bounded: 2 s for a connection or a lock, 5 s for a statement, 10 s idle in a transaction. */
const TIMEOUTS = {
  connectionTimeoutMillis: 2_000,
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
};

export const connectDatabase = (options: Options): DatabasePool => {
  const open = (own: pg.PoolConfig): pg.Pool => {
    const pool = new pg.Pool({
      ...TIMEOUTS,
      connectionString: options.url,
      application_name: options.applicationName,
      max: options.maxConnections,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      ...own,
    });
    // An idle connection that Postgres closes must not end the process; the pool replaces it.
    pool.on('error', options.onError);
    return pool;
  };
  const pool = open(options.forceGenericPlans ? { options: '-c plan_cache_mode=force_generic_plan' } : {});
  const pools = [pool];
  const openForBuilt = (): pg.Pool => {
    const ofBuilt = open({});
    pools.push(ofBuilt);
    return ofBuilt;
  };
  // What knex built is planned for its values; and searches, which may take long, keep no connection from the short ones.
  let ofBuilt = options.forceGenericPlans ? undefined : pool;
  const count = (figure: (pool: pg.Pool) => number) => pools.reduce((sum, each) => sum + figure(each), 0);

  const database = toDatabase((query) => queryPool(pool, query));
  const built = toDatabase((query) => {
    ofBuilt ??= openForBuilt();
    return queryPool(ofBuilt, query);
  });
  return {
    query: (statement) => withRetries(() => database.query(statement)),
    execute: (query) => withRetries(() => built.execute(query)),
    transaction: (work) => withRetries(() => runTransaction(pool, work)),
    ping: async () => {
      await pool.query({ text: 'select 1', query_timeout: 500 } as pg.QueryConfig);
    },
    stats: () => ({
      max: count(({ options: { max } }) => max),
      total: count(({ totalCount }) => totalCount),
      idle: count(({ idleCount }) => idleCount),
      waiting: count(({ waitingCount }) => waitingCount),
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
