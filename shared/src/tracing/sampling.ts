import { type SpanContext, TraceFlags } from '@opentelemetry/api';

export const isSampled = ({ traceFlags }: SpanContext): boolean => (traceFlags & TraceFlags.SAMPLED) !== 0;

/** Whether the sampler might record a child of the span; `undefined` is no span. */
export type MayRecordChild = (parent: SpanContext | undefined) => boolean;

/**
 * For a sampler that follows the decision of a trace, or one that decides again in each process. Unsampled requests, in
 * production nearly all, create no spans for their statements and commands.
 */
export const createMayRecordChild =
  (followsParent: boolean): MayRecordChild =>
  (parent) =>
    parent !== undefined && (isSampled(parent) || (!followsParent && parent.isRemote === true));
