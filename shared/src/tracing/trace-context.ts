import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';

/** Where in a trace the work at hand stands: the trace, and the span whose children come next. */
export type TraceContext = { traceId: string; spanId: string; isSampled: boolean };

// W3C Trace Context, 3.2: of version 00 nothing may follow; of a later one only what we know is read.
const TRACEPARENT =
  /^(?:00(?=.{53}$)|(?!00|ff)[0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const SAMPLED = 1;

/** Undefined for what is no `traceparent`. */
export const parseTraceparent = (text: unknown): TraceContext | undefined => {
  const [, traceId, spanId, flags] = (typeof text === 'string' && TRACEPARENT.exec(text)) || [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags ?? '0', 16) & SAMPLED) === SAMPLED };
};

export const printTraceparent = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/** The caller's trace. One that is malformed goes no further, nor does the state that belongs to it. */
export const takeTrace = (headers: IncomingHttpHeaders): TraceContext | undefined => {
  const { traceparent } = headers;
  if (traceparent === undefined) return undefined;
  const trace = parseTraceparent(traceparent);
  if (!trace) {
    delete headers['traceparent'];
    delete headers['tracestate'];
  }
  return trace;
};

const storage = new AsyncLocalStorage<TraceContext>();

/** Of the work at hand, through every await; undefined where nobody asked for a trace. */
export const currentTrace = (): TraceContext | undefined => storage.getStore();

export const runInTrace = <Result>(trace: TraceContext | undefined, work: () => Result): Result =>
  trace === undefined ? work() : storage.run(trace, work);

/** For what is done later, by another process. */
export const currentTraceparent = (): string | undefined => {
  const trace = currentTrace();
  return trace && printTraceparent(trace);
};
