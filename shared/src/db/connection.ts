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
const WAITING_PER_CONNECTION = 20;

/** A connection of the pool until it is given back; one that broke meanwhile, or is given back with a fault, is ended. */
export const borrow = async (pool: pg.Pool) => {
  if (pool.waitingCount >= pool.options.max * WAITING_PER_CONNECTION)
    throw unavailable('The database has too much to do right now');
  const client = await pool.connect();
  let broken: Error | undefined;
  // The pool listens to idle connections only: one that breaks while it is held would end the process.
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  const giveBack = (fault?: Error): void => {
    client.off('error', onError);
    client.release(fault ?? broken);
  };
  return { client, giveBack };
};

/** Longer than Postgres itself takes to give up: a silence of this length is that of a connection that leads nowhere. */
const ANSWER_MILLISECONDS = 6_000;

/**
 * Where pg keeps the time (`query_timeout`) or makes the promise, it writes `query.callback = () => …`. A function written
 * so V8 places among the old objects at once, and with it all that it refers to outlives its request (measured: 13 KB a
 * request, and a third of the processor time for the garbage collector). So both is done here, around a callback.
 */
export const ask = <Row>(client: pg.PoolClient, query: pg.QueryConfig): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Query read timeout')), ANSWER_MILLISECONDS);
    void client.query<Record<string, unknown>>(query, (error: Error | null, result) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve(result.rows.map((row) => toCamelCase<Row>(row)));
    });
  });

/** After any other fault nobody knows what the connection still brings. */
const leavesUsable = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR';

export const askAny = async <Row>(pool: pg.Pool, query: pg.QueryConfig): Promise<Row[]> => {
  const { client, giveBack } = await borrow(pool);
  try {
    const rows = await ask<Row>(client, query);
    giveBack();
    return rows;
  } catch (error) {
    giveBack(leavesUsable(error) ? undefined : (error as Error));
    throw error;
  }
};
