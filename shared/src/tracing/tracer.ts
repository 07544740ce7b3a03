import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type SpanContext, TraceFlags, trace } from '@opentelemetry/api';

// The images contain this file as well.
const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));

export const VERSION: string = version;

/**
 * Differs for each start of a process, as the semantic conventions recommend: a process that has restarted in the same
 * container is another instance.
 */
export const INSTANCE_ID = randomUUID();

export const tracer = trace.getTracer('marketplace-platform', VERSION);

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
