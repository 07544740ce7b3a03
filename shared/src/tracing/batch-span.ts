import { type Span, trace } from '@opentelemetry/api';
import { isSampled } from './sampling.ts';
import { runInSpan, withSpan } from './tracing.ts';

/** The span of the current request, for `runBatch`. */
export const currentSpan = (): Span | undefined => trace.getActiveSpan();

const isSampledSpan = (span: Span | undefined): span is Span =>
  span !== undefined && isSampled(span.spanContext());

/** Both directions, so that the batch is found from each request and each request from the batch. */
const linkToBatch = (requests: readonly Span[]): void => {
  const batch = currentSpan();
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
export const runBatch = <Result>(
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
