import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type SpanContext, TraceFlags, trace } from '@opentelemetry/api';

// The images also contain this file.
const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));

export const VERSION: string = version;

/**
 * Differs for each start of a process, as the semantic conventions recommend. A process that restarted in the
 * same container is a new instance.
 */
export const INSTANCE_ID = randomUUID();

/** The version of the semantic conventions that the names of attributes follow. */
export const SCHEMA_URL = 'https://opentelemetry.io/schemas/1.40.0';

export const tracer = trace
  .getTracerProvider()
  .getTracer('marketplace-platform', VERSION, { schemaUrl: SCHEMA_URL });

export const isSampled = ({ traceFlags }: SpanContext): boolean => (traceFlags & TraceFlags.SAMPLED) !== 0;

/** Whether the sampler might record a child of the span; `undefined` stands for no span. */
export type MayRecordChild = (parent: SpanContext | undefined) => boolean;

/**
 * The check depends on whether the sampler follows the decision of the trace or decides again in each
 * process. Unsampled requests, which are nearly all in production, create no spans for their statements and
 * commands.
 */
export const createMayRecordChild =
  (followsParent: boolean): MayRecordChild =>
  (parent) =>
    parent !== undefined && (isSampled(parent) || (!followsParent && parent.isRemote === true));
