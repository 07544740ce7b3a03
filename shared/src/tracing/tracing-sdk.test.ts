import { type SpanContext, SpanKind, TraceFlags } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import { expect } from 'chai';
import { toTraceContext } from './tracing.ts';
import { createSampler } from './tracing-sdk.ts';

/** The lowest trace id, which every ratio sampler by id keeps. */
const PARENT: SpanContext = {
  traceId: '00000000000000000000000000000001',
  spanId: 'b7ad6b7169203331',
  traceFlags: TraceFlags.SAMPLED,
  isRemote: true,
};

describe('trace sampler', () => {
  const countSampled = (trustsCallers: boolean, parent: SpanContext): number => {
    const sampler = createSampler({
      sampler: 'parentbased_traceidratio',
      ratio: 0.1,
      trustsCallers,
    });
    const decide = () =>
      sampler.shouldSample(toTraceContext(parent), parent.traceId, 'GET', SpanKind.SERVER, {}, []).decision;
    return Array.from({ length: 1_000 }, decide).filter(
      (each) => each === SamplingDecision.RECORD_AND_SAMPLED,
    ).length;
  };

  it('samples as the gateway decided, or as the parent span in this process', () => {
    expect(countSampled(true, PARENT)).to.equal(1_000);
    expect(countSampled(false, { ...PARENT, isRemote: false })).to.equal(1_000);
  });

  it('keeps no more traces of external callers than the ratio, whatever they request', () => {
    for (const traceFlags of [TraceFlags.SAMPLED, TraceFlags.NONE])
      expect(countSampled(false, { ...PARENT, traceFlags })).to.be.within(30, 250);
  });
});
