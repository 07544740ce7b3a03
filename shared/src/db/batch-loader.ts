import DataLoader from 'dataloader';
import { currentTrace } from '../tracing/tracing.ts';

const MAX_KEYS = 100;

/**
 * Loads rows by their `key`, with one statement for all keys that are requested in the same turn of the event loop.
 * Otherwise each request pays a round trip that costs more than the lookup (measured: half of the CPU time of a request,
 * Postgres included). Nothing is cached: a key that is requested after the statement was sent is part of the next one.
 */
export const createBatchLoader = <Row extends { key: string }>(
  find: (keys: readonly string[]) => Promise<Row[]>,
): ((key: string) => Promise<Row | undefined>) => {
  const findInOrder = async (keys: readonly string[]): Promise<(Row | undefined)[]> => {
    const rows = new Map((await find(keys)).map((row) => [row.key, row]));
    return keys.map((key) => rows.get(key));
  };
  const loader = new DataLoader<string, Row | undefined>(findInOrder, {
    cache: false,
    maxBatchSize: MAX_KEYS,
    // Runs after all readable sockets were read; DataLoader's default waits for the promises of one request only.
    batchScheduleFn: setImmediate,
  });
  return async (key) => {
    // A batched statement could not be part of each request's trace.
    if (currentTrace() === undefined) return loader.load(key);
    const [row] = await findInOrder([key]);
    return row;
  };
};
