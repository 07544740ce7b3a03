import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { type CollectedSpan, startCollector } from '../../testing/otlp-collector.ts';
import { waitFor } from '../../testing/poll.ts';
import { continueTrace, currentTrace, startTracing, stopTracing, withSpan } from '../tracing/tracing.ts';
import { createKeyLoader } from './batch-loader.ts';

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const SETTINGS = {
  sampler: 'parentbased_always_on',
  ratio: 1,
  trustsCallers: true,
} as const;
const SAMPLED = '01';
const UNSAMPLED = '00';

const newTraceparent = (flags: string): string =>
  `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-${flags}`;

const toIds = ({ traceId, spanId }: CollectedSpan) => ({ traceId, spanId });

describe('Spans of batched lookups', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let failure: Error | undefined;
  /** The trace id of each statement. */
  let traceIds: (string | undefined)[];

  const lookUp = createKeyLoader((keys) =>
    withSpan('statement', {}, async () => {
      traceIds.push(currentTrace()?.traceId);
      if (failure) throw failure;
      return keys.map((key) => ({ key }));
    }),
  );
  /** Runs a request whose span has the name of its key. Returns the trace ids before and after the lookup. */
  const request = (key: string, flags: string) =>
    continueTrace(newTraceparent(flags), key, {}, async () => {
      const before = currentTrace()?.traceId;
      await lookUp(key);
      return [before, currentTrace()?.traceId];
    });
  /** Returns the spans since the last call. Spans are exported in the order in which they end. */
  const readSpans = async (): Promise<CollectedSpan[]> => {
    const end = newTraceparent(SAMPLED);
    await continueTrace(end, 'end', {}, async () => undefined);
    await waitFor('the last span has arrived', () => collector.getSpans(end.split('-')[1]).length === 1);
    const spans = collector.getSpans();
    return spans.slice(spans.slice(0, -1).findLastIndex(({ name }) => name === 'end') + 1, -1);
  };
  const namesOf = (spans: CollectedSpan[]) => spans.map(({ name }) => name);
  const get = (spans: CollectedSpan[], wanted: string): CollectedSpan => {
    expect(namesOf(spans).filter((name) => name === wanted)).to.deep.equal([wanted]);
    return spans.find(({ name }) => name === wanted) as CollectedSpan;
  };

  // The global tracer provider of a process cannot be replaced, so only this file records spans.
  before('record spans', async () => {
    collector = await startCollector();
    process.env[ENDPOINT] = collector.url;
    await startTracing('test', SETTINGS, (error) => {
      throw error;
    });
  });
  beforeEach('discard the spans of the previous test', () => {
    failure = undefined;
    traceIds = [];
  });
  after('stop recording', async () => {
    await stopTracing();
    delete process.env[ENDPOINT];
    await collector.stop();
  });

  it('belong to the trace of one request, like every other statement', async () => {
    await request('one', SAMPLED);
    const spans = await readSpans();
    expect(namesOf(spans)).to.have.members(['statement', 'one']);
    expect(get(spans, 'statement').parentSpanId).to.equal(get(spans, 'one').spanId);
    expect(get(spans, 'one').links).to.deep.equal([]);
  });

  it('belong to the trace of the first sampled request, with links to the others', async () => {
    const flags = { a: UNSAMPLED, b: SAMPLED, c: SAMPLED, d: UNSAMPLED, e: SAMPLED };
    const traces = await Promise.all(Object.entries(flags).map(([key, flag]) => request(key, flag)));
    for (const [before, after] of traces) expect(after, 'after the lookup').to.equal(before);
    const spans = await readSpans();
    expect(namesOf(spans)).to.have.members(['statement', 'batch', 'b', 'c', 'e']);
    const batch = get(spans, 'batch');
    expect(batch.attributes).to.deep.equal({ 'marketplace.batch.size': 5 });
    expect(batch.parentSpanId).to.equal(get(spans, 'b').spanId);
    expect(batch.links).to.deep.equal([toIds(get(spans, 'c')), toIds(get(spans, 'e'))]);
    expect(get(spans, 'statement').parentSpanId).to.equal(batch.spanId);
    const links = ['b', 'c', 'e'].map((key) => get(spans, key).links);
    expect(links).to.deep.equal([[], [toIds(batch)], [toIds(batch)]]);
  });

  it('are not created without a sampled request, and the statement has no trace', async () => {
    await Promise.all([request('one', UNSAMPLED), lookUp('two')]);
    await request('three', UNSAMPLED);
    expect(await readSpans()).to.deep.equal([]);
    expect(traceIds).to.deep.equal([undefined, undefined]);
  });

  it('are not created within an unsampled request, whose span stays the current one', async () => {
    const ids = await continueTrace(newTraceparent(UNSAMPLED), 'request', {}, async () => [
      currentTrace()?.spanId,
      await withSpan('statement', {}, async () => currentTrace()?.spanId),
    ]);
    expect(ids[1]).to.equal(ids[0]);
  });

  it('contain the error of a failed batch, as do the spans of its requests', async () => {
    failure = new RangeError('away');
    const flags = { a: SAMPLED, b: SAMPLED, c: UNSAMPLED };
    const results = await Promise.allSettled(Object.entries(flags).map(([key, flag]) => request(key, flag)));
    for (const result of results) expect(result).to.include({ status: 'rejected', reason: failure });
    const spans = await readSpans();
    expect(namesOf(spans)).to.have.members(['statement', 'batch', 'a', 'b']);
    for (const { isError, attributes } of spans)
      expect({ isError, type: attributes['error.type'] }).to.deep.equal({
        isError: true,
        type: 'RangeError',
      });
  });

  it('contain no link to a request that has ended before its lookup', async () => {
    const first = request('one', SAMPLED);
    await continueTrace(newTraceparent(SAMPLED), 'aborted', {}, async () => void lookUp('aborted'));
    await first;
    const spans = await readSpans();
    expect(get(spans, 'aborted').links).to.deep.equal([]);
    expect(get(spans, 'batch').links).to.deep.equal([toIds(get(spans, 'aborted'))]);
  });
});
