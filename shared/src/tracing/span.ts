import type { TraceContext } from './trace-context.ts';

export type Attributes = Record<string, string | number | boolean>;

/** In OpenTelemetry's words: what is answered, asked, left for later, and done later. */
export type SpanStart = {
  name: string;
  kind: 'server' | 'client' | 'producer' | 'consumer';
  attributes?: Attributes;
};

/** `errorType` marks a failure by its kind alone: a message may quote what somebody typed. */
export type SpanEnd = { name?: string; attributes?: Attributes; errorType?: string | undefined };

export type Span = { context: TraceContext; end: (end?: SpanEnd) => void };

/** Absent where OTEL_EXPORTER_OTLP_ENDPOINT is: then nothing here costs more than a look at it. */
export type Tracer = {
  start: (span: SpanStart, parent: TraceContext | undefined) => Span;
  /** Sends what is left, for a moment at most. */
  close: () => Promise<void>;
};
