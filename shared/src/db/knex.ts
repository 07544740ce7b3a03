import { setTimeout as delay } from 'node:timers/promises';
import { type Attributes, SpanKind, type SpanOptions } from '@opentelemetry/api';
import knexPackage, { type Knex } from 'knex';
import PostgresDialect, { type KnexQuery } from 'knex/lib/dialects/postgres/index.js';
import pg from 'pg';
import { AppError, unavailable } from '../errors/app-error.ts';
import { withSpan } from '../tracing/tracing.ts';
import { createConnector } from './connect.ts';
import { createConnections } from './connection.ts';
import { getErrorCode, translateError } from './database-errors.ts';

// A named import of this CommonJS package compiles but fails at run time.
const { knex } = knexPackage;

export type PoolOptions = {
  url: string;
  applicationName: string;
  maxConnections: number;
  /**
   * Postgres plans a named statement once, independent of its values (`plan_cache_mode`), because replanning
   * takes twice as long as execution (measured). Use it only if all statements find few rows through an
   * index.
   */
  forceGenericPlans?: boolean;
  onError: (error: Error) => void;
};

/**
 * Sent when a connection is opened, in milliseconds. PgBouncer ignores them, so behind PgBouncer the roles
 * must have these settings.
 */
const SESSION_SETTINGS = {
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
};
const SETTINGS = { ...SESSION_SETTINGS, connectionTimeoutMillis: 2_000, keepAlive: true };

const ACQUIRE_TIMEOUT_MILLISECONDS = 2_000;
/**
 * A new connection costs Postgres as much as a hundred lookups: the login, empty catalog caches, and each
 * plan. The timeout is shorter than that of common NAT gateways (240 s), which drop idle connections
 * silently.
 */
const IDLE_TIMEOUT_MILLISECONDS = 180_000;

const OPEN_RETRY_MILLISECONDS = 200;

/**
 * A longer queue would be served only after the client's timeout, so further requests are rejected
 * immediately.
 */
const MAX_WAITING_PER_CONNECTION = 20;

/** Cached, because there are few columns, and every row of a hot statement has them. */
const cached = (convert: (name: string) => string): ((name: string) => string) => {
  const converted = new Map<string, string>();
  return (name) => {
    let result = converted.get(name);
    if (result === undefined) {
      result = convert(name);
      converted.set(name, result);
    }
    return result;
  };
};

const toSnakeCase = cached((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
const toCamelCase = cached((column) =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
);

const toRow = (row: unknown): unknown => {
  if (typeof row !== 'object' || row === null) return row; // a value of pluck()
  const result: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) result[toCamelCase(column)] = value;
  return result;
};

/** Converts the rows of raw SQL and of the builder; row counts stay unchanged. */
const toResponse = (response: unknown): unknown => {
  if (Array.isArray(response)) return response.map(toRow);
  if (response instanceof pg.Result) return Object.assign(response, { rows: response.rows.map(toRow) });
  return toRow(response);
};

/** The first word, such as SELECT, BEGIN, or WITH for any statement that begins with it. */
const getOperation = (sql: string): string => /\w+/.exec(sql)?.[0].toUpperCase() ?? 'SQL';

/**
 * The name of a prepared statement, or the text of a query that Knex has built, whose values are parameters.
 */
const toSpanOptions = (
  { sql, options }: KnexQuery,
  { host, port, database }: Pick<pg.Client, 'host' | 'port' | 'database'>,
): SpanOptions => ({
  kind: SpanKind.CLIENT,
  attributes: {
    'db.system.name': 'postgresql',
    'db.namespace': database ?? '',
    'server.address': host,
    'server.port': port,
    'db.operation.name': getOperation(sql),
    ...(options?.name === undefined ? { 'db.query.text': sql } : { 'db.query.summary': options.name }),
  },
});

/** Names the statement in the log line of the error: its name, or the text that Knex has built. */
const addStatement = (error: unknown, { sql, options }: KnexQuery): void => {
  if (error instanceof Error) Object.assign(error, { statement: options?.name ?? sql });
};

/** Returns SQLSTATE and constraint. The message is omitted, because it may contain values. */
const describeSqlError = (error: unknown): Attributes =>
  error instanceof pg.DatabaseError
    ? {
        ...(error.code !== undefined && { 'db.response.status_code': error.code }),
        ...(error.constraint !== undefined && { 'marketplace.db.constraint': error.constraint }),
      }
    : {};

/** Knex puts the SQL in front of the message. Logs and operators need only the message. */
const removeSql = (error: unknown, sql: string): void => {
  if (error instanceof Error && error.message.startsWith(sql))
    error.message = error.message.slice(sql.length).replace(/^ - /, '');
};

/** The codes of a deadlock and a serialization failure. */
const RETRYABLE = ['40001', '40P01'];
const MAX_ATTEMPTS = 3;

/**
 * Postgres has rolled back after these errors, so a single statement or a whole transaction can be repeated.
 */
export const withRetries = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !RETRYABLE.includes(getErrorCode(error))) throw error;
    }
  }
};

/** disk_full: Postgres could not extend a file. */
const DISK_FULL = '53100';

const ignore = (): void => undefined;

/**
 * Creates a Knex instance, which owns the connections and transactions. Names are camelCase here and
 * snake_case in Postgres.
 */
export const createKnex = (options: PoolOptions) => {
  const plans = options.forceGenericPlans ? { options: '-c plan_cache_mode=force_generic_plan' } : {};
  const settings = { ...SETTINGS, ...plans, application_name: options.applicationName };
  const connector = createConnector(options.url, settings);
  const connections = createConnections({ connector, onError: options.onError });
  const disk = { isFull: false };

  // biome-ignore lint/plugin: a custom dialect of Knex is a subclass
  class Dialect extends PostgresDialect {
    /**
     * If this fails, the pool rejects the request that has waited longest, even if an open connection would
     * soon be free.
     */
    override async acquireRawConnection(): Promise<pg.Client> {
      for (;;)
        try {
          return await connections.open();
        } catch (error) {
          if (connections.count() === 0 || this.pool.numPendingAcquires() === 0) throw error;
          options.onError(error as Error);
          await delay(OPEN_RETRY_MILLISECONDS);
        }
    }
    override destroyRawConnection(connection: pg.Client): Promise<void> {
      return connections.close(connection);
    }
    override async acquireConnection(): Promise<pg.Client> {
      if (this.pool.numPendingAcquires() >= options.maxConnections * MAX_WAITING_PER_CONNECTION)
        throw unavailable('Database overloaded; retry later.');
      // Before a connection is open, no error concerns the request: certificates, passwords, names, full disks.
      return super.acquireConnection().catch((error: unknown) => {
        throw error instanceof AppError ? error : unavailable('Database unavailable; retry later.', error);
      });
    }
    override async query(connection: pg.Client, query: KnexQuery | string): Promise<unknown> {
      const request = typeof query === 'string' ? { sql: query } : query;
      const run = () => super.query(connection, request);
      try {
        return await withSpan(
          request.options?.name ?? getOperation(request.sql),
          () => toSpanOptions(request, connection),
          // Within a transaction, the whole transaction must be repeated.
          () => (this.transacting ? run() : withRetries(run)),
          describeSqlError,
        );
      } catch (error) {
        if (getErrorCode(error) === DISK_FULL) disk.isFull = true;
        removeSql(error, request.sql);
        addStatement(error, request);
        throw translateError(error);
      }
    }
  }

  const db: Knex = knex({
    client: Dialect as unknown as typeof Knex.Client,
    // Otherwise the first connection would query the version.
    version: '15',
    connection: {},
    pool: {
      min: 0,
      max: options.maxConnections,
      idleTimeoutMillis: IDLE_TIMEOUT_MILLISECONDS,
      validate: connections.isUsable,
    },
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MILLISECONDS,
    wrapIdentifier: (name, wrap) => wrap(toSnakeCase(name)),
    postProcessResponse: toResponse,
    // Keeps values out of error messages.
    compileSqlOnError: false,
    // Every error rejects a query or reaches onError.
    log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
  });
  const { pool }: PostgresDialect = db.client;
  return {
    db,
    /**
     * `isFull` is set when a query fails because the disk is full, and reset when a check finds space again.
     */
    disk,
    /** When the server's certificate expires; undefined without TLS, or before the first connection. */
    certificateExpiresAt: connections.certificateExpiresAt,
    close: async (): Promise<void> => {
      await connections.stop();
      await db.destroy();
    },
    stats: () => {
      const total = connections.count();
      return {
        max: options.maxConnections,
        total,
        idle: Math.max(0, total - pool.numUsed()),
        waiting: pool.numPendingAcquires(),
      };
    },
  };
};
