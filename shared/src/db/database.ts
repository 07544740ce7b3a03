import type { Knex } from 'knex';
import pg from 'pg';
import { unavailable } from '../errors/app-error.ts';
import type { SpanStart } from '../tracing/span.ts';
import { withSpan } from '../tracing/tracing.ts';
import { ask, askAny, borrow } from './connection.ts';

/** A statement with a name is prepared once per connection (measured: about twice the rate of an unnamed one). */
export type Statement = { name: string; text: string; values: readonly unknown[] };

/** What a store may do: run a prepared statement, or one that knex built. Rows come back in camelCase. */
export type Database = {
  query: <Row>(statement: Statement) => Promise<Row[]>;
  build: <Row>(query: Knex.QueryBuilder) => Promise<Row[]>;
};

export type DatabasePool = Database & {
  /** Runs `work` in one transaction; any throw rolls back. Retried when Postgres asks for it (deadlock, serialization). */
  transaction: <Result>(work: (database: Database) => Promise<Result>) => Promise<Result>;
  /** Resolves when Postgres answers within 500 ms. */
  ping: () => Promise<void>;
  usage: () => { max: number; total: number; idle: number; waiting: number };
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
  plansOnce?: boolean;
  onError: (error: Error) => void;
};

const RETRYABLE = new Set(['40001', '40P01']);
/** Classes 08 (connection), 53 (resources), 57 (operator intervention), and lock_timeout. */
const UNAVAILABLE = /^(08|53|57|55P03)/;
const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)/;
const CLIENT_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable/;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Postgres that cannot serve becomes 503; every other error passes as it is. */
const translate = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const code = codeOf(error);
  const away = UNAVAILABLE.test(code) || NETWORK.test(code) || CLIENT_MESSAGES.test(error.message);
  return away ? unavailable('The database cannot serve right now', error) : error;
};

const UNNAMED = { name: 'postgres', kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const;

/** By the statement's name: its text says no more, and its values are nobody else's business. */
const spanOf = ({ name }: pg.QueryConfig): SpanStart => (name === undefined ? UNNAMED : { ...UNNAMED, name });

type Run = <Row>(query: pg.QueryConfig) => Promise<Row[]>;

const toDatabase = (send: Run): Database => {
  const run = async <Row>(query: pg.QueryConfig): Promise<Row[]> => {
    try {
      return await withSpan(spanOf(query), () => send<Row>(query));
    } catch (error) {
      throw translate(error);
    }
  };
  return {
    query: ({ name, text, values }) => run({ name, text, values: [...values] }),
    build: (query) => {
      const { sql, bindings } = query.toSQL().toNative();
      return run({ text: sql, values: [...bindings] });
    },
  };
};

const runTransaction = async <Result>(
  pool: pg.Pool,
  work: (database: Database) => Promise<Result>,
): Promise<Result> => {
  const connection = await borrow(pool).catch((error: unknown) => {
    throw translate(error);
  });
  try {
    await ask(connection, { text: 'begin' });
    const result = await work(toDatabase((query) => ask(connection, query)));
    await ask(connection, { text: 'commit' });
    return result;
  } catch (error) {
    // A connection with a fault is closed, as is one that cannot roll back: then Postgres rolls back by itself.
    if (!connection.fault) await ask(connection, { text: 'rollback' }).catch(() => undefined);
    throw translate(error);
  } finally {
    connection.giveBack();
  }
};

const ATTEMPTS = 3;

/** Postgres has rolled back what it asks to be tried again, so a statement by itself or a whole transaction may be. */
const withRetries = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !RETRYABLE.has(codeOf(error))) throw error;
    }
  }
};

/** Every wait is bounded: 2 s for a connection or a lock, 5 s for a statement, 10 s idle in a transaction. */
const BOUNDS = {
  connectionTimeoutMillis: 2_000,
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
};

export const connectDatabase = (options: Options): DatabasePool => {
  const open = (own: pg.PoolConfig): pg.Pool => {
    const pool = new pg.Pool({
      ...BOUNDS,
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
  const pool = open(options.plansOnce ? { options: '-c plan_cache_mode=force_generic_plan' } : {});
  const pools = [pool];
  const openForBuilt = (): pg.Pool => {
    const ofBuilt = open({});
    pools.push(ofBuilt);
    return ofBuilt;
  };
  // What knex built is planned for its values; and searches, which may take long, keep no connection from the short ones.
  let ofBuilt = options.plansOnce ? undefined : pool;
  const count = (figure: (pool: pg.Pool) => number) => pools.reduce((sum, each) => sum + figure(each), 0);

  const database = toDatabase((query) => askAny(pool, query));
  const built = toDatabase((query) => {
    ofBuilt ??= openForBuilt();
    return askAny(ofBuilt, query);
  });
  return {
    query: (statement) => withRetries(() => database.query(statement)),
    build: (query) => withRetries(() => built.build(query)),
    transaction: (work) => withRetries(() => runTransaction(pool, work)),
    ping: async () => {
      await pool.query({ text: 'select 1', query_timeout: 500 } as pg.QueryConfig);
    },
    usage: () => ({
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

/** True when `error` is a unique violation of just that constraint or index. */
export const isUniqueViolation = (error: unknown, constraint: string): boolean =>
  error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === constraint;
