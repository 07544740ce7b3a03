import type { Span } from '@opentelemetry/api';
import DataLoader from 'dataloader';
import { currentSpan, runBatch } from '../tracing/batch-span.ts';

const MAX_ITEMS = 100;

type Requested<Item> = { item: Item; span: Span | undefined };

/**
 * Runs one statement for all items that are requested in the same turn of the event loop, and returns to each the row with
 * its key. Otherwise each request pays a round trip that costs more than the work (measured: half of the CPU time of a
 * request, Postgres included). Nothing is cached: an item that is requested after the statement was sent is part of the
 * next one.
 */
export const createBatchLoader = <Item, Row extends { key: string }>(
  toKey: (item: Item) => string,
  run: (items: readonly Item[]) => Promise<Row[]>,
): ((item: Item) => Promise<Row | undefined>) => {
  const runInOrder = async (requested: readonly Requested<Item>[]): Promise<(Row | undefined)[]> => {
    const items = requested.map(({ item }) => item);
    // Otherwise the statement would be part of the trace of whichever request was first.
    const found = await runBatch(
      requested.map(({ span }) => span),
      () => run(items),
    );
    const rows = new Map(found.map((row) => [row.key, row]));
    return items.map((item) => rows.get(toKey(item)));
  };
  const loader = new DataLoader<Requested<Item>, Row | undefined>(runInOrder, {
    cache: false,
    maxBatchSize: MAX_ITEMS,
    // Runs after all readable sockets were read; DataLoader's default waits for the promises of one request only.
    batchScheduleFn: setImmediate,
  });
  return (item) => loader.load({ item, span: currentSpan() });
};

/** Loads rows by their `key`. */
export const createKeyLoader = <Row extends { key: string }>(
  find: (keys: readonly string[]) => Promise<Row[]>,
): ((key: string) => Promise<Row | undefined>) => createBatchLoader((key) => key, find);
