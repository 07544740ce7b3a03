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

/** A longer queue would be served after the client's timeout, so reject at once. */
const MAX_WAITING_PER_CONNECTION = 20;

/** A pooled connection. One with an error is closed on release. */
type Connection = { client: pg.PoolClient; error: Error | undefined; release: () => void };

/** @throws AppError 503 when too many queries wait for a connection */
export const acquireConnection = async (pool: pg.Pool): Promise<Connection> => {
  if (pool.waitingCount >= pool.options.max * MAX_WAITING_PER_CONNECTION)
    throw unavailable('Database overloaded; retry later.');
  const client = await pool.connect();
  const onError = (error: Error) => {
    connection.error = error;
  };
  const release = (): void => {
    client.off('error', onError);
    client.release(connection.error);
  };
  const connection: Connection = { client, error: undefined, release };
  // The pool handles errors of idle connections only; an unhandled error of an acquired one would end the process.
  client.on('error', onError);
  return connection;
};

/** Longer than Postgres's own statement timeout: no response for this long means that the connection is lost. */
const RESPONSE_TIMEOUT_MILLISECONDS = 6_000;

/** read_only_sql_transaction: the server is a standby or a demoted primary, and stays so on this connection. */
const READ_ONLY = '25006';

/** After any other error the state of the connection is unknown. */
const isStillUsable = (error: Error): boolean =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR' && error.code !== READ_ONLY;

const rejectQuery = (connection: Connection, error: Error, reject: (error: Error) => void): void => {
  if (!isStillUsable(error)) connection.error ??= error;
  reject(error);
};

/**
 * Timeout and promise are implemented here because pg's own (`query_timeout`) assign a closure to `query.callback`. V8
 * allocates such a closure in old space; whatever it captures survives until a major GC (measured: 13 KB per request, and
 * a third of the CPU time in the garbage collector).
 */
export const queryConnection = <Row>(
  connection: Connection,
  query: pg.QueryConfig,
  timeoutMilliseconds = RESPONSE_TIMEOUT_MILLISECONDS,
): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => rejectQuery(connection, new Error('Query read timeout'), reject),
      timeoutMilliseconds,
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

const PING_TIMEOUT_MILLISECONDS = 500;

/** Closes a read-only connection, so that after a failover the next ping connects to the new primary. @throws Error */
export const pingPool = async (pool: pg.Pool): Promise<void> => {
  const connection = await acquireConnection(pool);
  try {
    const text = `select current_setting('transaction_read_only')::boolean as is_read_only`;
    const [row] = await queryConnection<{ isReadOnly: boolean }>(
      connection,
      { text },
      PING_TIMEOUT_MILLISECONDS,
    );
    if (row?.isReadOnly) {
      connection.error = new Error('Postgres is read-only');
      throw connection.error;
    }
  } finally {
    connection.release();
  }
};
