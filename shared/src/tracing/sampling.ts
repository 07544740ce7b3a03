import { type SpanContext, TraceFlags } from '@opentelemetry/api';

export const isSampled = ({ traceFlags }: SpanContext): boolean => (traceFlags & TraceFlags.SAMPLED) !== 0;

/**
 * Whether a child of `parent` might be recorded. Unsampled requests, in production nearly all, create no spans for their
 * statements and commands; only in a trace that another process has started does the sampler have to decide.
 */
export const mayRecordChild = (parent: SpanContext | undefined): boolean =>
  parent !== undefined && (isSampled(parent) || parent.isRemote === true);
