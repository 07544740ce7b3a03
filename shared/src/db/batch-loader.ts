import { type Span, trace } from '@opentelemetry/api';
import DataLoader from 'dataloader';
import { isSampled } from '../tracing/tracer.ts';
import { runInSpan, withSpan } from '../tracing/tracing.ts';

const MAX_ITEMS = 100;

type Requested<Item> = { item: Item; span: Span | undefined };

const isSampledSpan = (span: Span | undefined): span is Span =>
  span !== undefined && isSampled(span.spanContext());

/** Both directions, so that the batch is found from each request and each request from the batch. */
const linkToBatch = (requests: readonly Span[]): void => {
  const batch = trace.getActiveSpan();
  if (!batch) return;
  // A request that the client has aborted has no open span any more.
  for (const request of requests.filter((span) => span.isRecording()))
    request.addLink({ context: batch.spanContext() });
};

/**
 * Runs work for several requests at once, each with its span. It is part of the trace of the first sampled request, so that
 * a sampler which follows the parent records it exactly if one of the requests is recorded; the others get links. Without
 * a sampled request there is no span, and no trace.
 */
const runBatch = <Result>(
  requests: readonly (Span | undefined)[],
  work: () => Promise<Result>,
): Promise<Result> => {
  const [first, ...others] = new Set(requests.filter(isSampledSpan));
  // What a single request runs is part of its trace, like every other statement.
  if (first === undefined || requests.length === 1) return runInSpan(first, work);
  const options = {
    attributes: { 'marketplace.batch.size': requests.length },
    links: others.map((span) => ({ context: span.spanContext() })),
  };
  return runInSpan(first, () =>
    withSpan('batch', options, () => {
      linkToBatch(others);
      return work();
    }),
  );
};

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
  return (item) => loader.load({ item, span: trace.getActiveSpan() });
};

export const createKeyLoader = <Row extends { key: string }>(
  find: (keys: readonly string[]) => Promise<Row[]>,
): ((key: string) => Promise<Row | undefined>) => createBatchLoader((key) => key, find);
