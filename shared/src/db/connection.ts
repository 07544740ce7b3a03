import pg from 'pg';
import { unavailable } from '../errors/app-error.ts';

const camelCaseNames = new Map<string, string>();
const camelCase = (column: string): string => {
  let name = camelCaseNames.get(column);
  if (name === undefined) {
    name = column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    camelCaseNames.set(column, name);
  }
  return name;
};

const toCamelCase = <Row>(row: Record<string, unknown>): Row => {
  const result: Record<string, unknown> = {};
  for (const column in row) result[camelCase(column)] = row[column];
  return result as Row;
};

/** A queue this long would be served too late: better to say so at once. */
const MAX_WAITING_PER_CONNECTION = 20;

/** A connection that is taken out of the pool. One with a fault is closed when it is given back. */
export type Connection = { client: pg.PoolClient; error: Error | undefined; release: () => void };

/** @throws AppError 503 when too many wait for one */
export const acquireConnection = async (pool: pg.Pool): Promise<Connection> => {
  if (pool.waitingCount >= pool.options.max * MAX_WAITING_PER_CONNECTION)
    throw unavailable('The database has too much to do right now');
  const client = await pool.connect();
  const onError = (error: Error) => {
    connection.error = error;
  };
  const giveBack = (): void => {
    client.off('error', onError);
    client.release(connection.error);
  };
  const connection: Connection = { client, error: undefined, release: giveBack };
  // The pool listens to idle connections only: one that breaks while it is held would end the process.
  client.on('error', onError);
  return connection;
};

/** Longer than Postgres itself takes to give up: a silence of this length is that of a connection that leads nowhere. */
const RESPONSE_TIMEOUT_MILLISECONDS = 6_000;

/** After any other error it is unknown what the connection still brings. */
const isStillUsable = (error: Error): boolean =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR';

const rejectQuery = (connection: Connection, error: Error, reject: (error: Error) => void): void => {
  if (!isStillUsable(error)) connection.error ??= error;
  reject(error);
};

/**
 * Where pg keeps the time (`query_timeout`) or makes the promise, it writes `query.callback = () => …`. A function written
 * so V8 places among the old objects at once, and with it all that it refers to outlives its request (measured: 13 KB a
 * request, and a third of the processor time for the garbage collector). So both is done here, around a callback.
 */
export const queryConnection = <Row>(connection: Connection, query: pg.QueryConfig): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => rejectQuery(connection, new Error('Query read timeout'), reject),
      RESPONSE_TIMEOUT_MILLISECONDS,
    );
    void connection.client.query<Record<string, unknown>>(query, (error: Error | null, result) => {
      clearTimeout(timer);
      if (error) rejectQuery(connection, error, reject);
      else resolve(result.rows.map((row) => toCamelCase<Row>(row)));
    });
  });

export const queryPool = async <Row>(pool: pg.Pool, query: pg.QueryConfig): Promise<Row[]> => {
  const connection = await acquireConnection(pool);
  try {
    return await queryConnection<Row>(connection, query);
  } finally {
    connection.release();
  }
};
