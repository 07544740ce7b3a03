import knexPackage, { type Knex } from 'knex';
import type pg from 'pg';
import { unavailable } from '../errors/app-error.ts';
import { createConnector } from './connect.ts';
import { createConnections } from './connection.ts';

// A named import of this CommonJS package compiles but fails at run time.
const { knex } = knexPackage;

export type PoolOptions = {
  /** One server or several; database-url.ts has the syntax. */
  url: string;
  applicationName: string;
  maxConnections: number;
  /**
   * Postgres plans a named statement once, independent of its values (`plan_cache_mode`); replanning takes twice as long
   * as execution (measured). Only for statements that all find few rows through an index.
   */
  forceGenericPlans?: boolean;
  onError: (error: Error) => void;
};

/** Sent at the start of a connection, in milliseconds. PgBouncer ignores them, so behind it the roles must have them. */
export const SESSION_SETTINGS = {
  statement_timeout: 5_000,
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 10_000,
};
const SETTINGS = { ...SESSION_SETTINGS, connectionTimeoutMillis: 2_000, keepAlive: true };

const ACQUIRE_TIMEOUT_MILLISECONDS = 2_000;
/**
 * A new connection costs Postgres as much as a hundred lookups: the login, empty catalog caches, and each plan. Shorter than
 * the idle timeout of common NAT gateways (240 s), which drop connections silently.
 */
const IDLE_TIMEOUT_MILLISECONDS = 180_000;

/** A longer queue would be served after the client's timeout, so reject at once. */
const MAX_WAITING_PER_CONNECTION = 20;

const camelCaseNames = new Map<string, string>();
const camelCase = (column: string): string => {
  let name = camelCaseNames.get(column);
  if (name === undefined) {
    name = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    camelCaseNames.set(column, name);
  }
  return name;
};

const toCamelCase = (row: Record<string, unknown>): Record<string, unknown> => {
  const result: Record<string, unknown> = {};
  for (const column in row) result[camelCase(column)] = row[column];
  return result;
};

const ignore = (): void => undefined;

type TarnPool = { numUsed: () => number; numPendingAcquires: () => number };

/** A Knex instance, which owns the connections and the transactions. A query resolves with its rows, in camelCase. */
export const createKnex = (options: PoolOptions) => {
  const plans = options.forceGenericPlans ? { options: '-c plan_cache_mode=force_generic_plan' } : {};
  const settings = { ...SETTINGS, ...plans, application_name: options.applicationName };
  const connector = createConnector(options.url, settings);
  const connections = createConnections({ connector, onError: options.onError });
  const db: Knex = knex({
    client: 'pg',
    // Otherwise the first connection runs a query for it.
    version: '15',
    connection: {},
    pool: {
      min: 0,
      max: options.maxConnections,
      idleTimeoutMillis: IDLE_TIMEOUT_MILLISECONDS,
      validate: connections.isOpen,
    },
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MILLISECONDS,
    postProcessResponse: ({ rows }: pg.QueryResult) => rows.map(toCamelCase),
    // Keeps values out of error messages.
    compileSqlOnError: false,
    // Every error rejects a query or reaches onError.
    log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
  });
  // The hooks of Knex's dialects for the connections of its pool.
  db.client.acquireRawConnection = connections.open;
  db.client.destroyRawConnection = connections.close;
  const pool: TarnPool = db.client.pool;
  const acquireConnection: () => Promise<pg.Client> = db.client.acquireConnection.bind(db.client);
  db.client.acquireConnection = async () => {
    if (pool.numPendingAcquires() >= options.maxConnections * MAX_WAITING_PER_CONNECTION)
      throw unavailable('Database overloaded; retry later.');
    return acquireConnection();
  };
  return {
    db,
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
