import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import {
  type Attributes,
  type Context,
  type ContextManager,
  context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import type { TracingSettings } from '../config/process-variables.ts';
import { getErrorType, setSpanError } from './span-errors.ts';
import { INSTANCE_ID, isSampled, tracer } from './tracer.ts';
import type { TracingSdk } from './tracing-sdk.ts';

// A caller's trace id must reach logs and mails even if this process records no spans, so the context manager
// is always registered. The SDK is loaded only if spans are exported.
const storage = new AsyncLocalStorage<Context>();
const contextManager: ContextManager = {
  active: () => storage.getStore() ?? ROOT_CONTEXT,
  with: (active, work, thisArg, ...args) => storage.run(active, () => work.apply(thisArg, args)),
  bind: (_context, target) => target,
  enable: () => contextManager,
  disable: () => contextManager,
};
context.setGlobalContextManager(contextManager);

let sdk: TracingSdk | undefined;

/** Returns the id of this instance, which its spans have as `service.instance.id`. */
export const startTracing = async (
  service: string,
  settings: TracingSettings | undefined,
  onError: (error: unknown) => void,
): Promise<string> => {
  if (!settings) return INSTANCE_ID;
  // Loaded on demand, so that a process that exports no spans needs neither the SDK's memory nor its load
  // time.
  const { startTracingSdk } = await import('./tracing-sdk.ts');
  sdk = startTracingSdk(service, settings, onError);
  return sdk.instanceId;
};

/** Sends the remaining spans, for a limited time. */
export const stopTracing = async (): Promise<void> => {
  await sdk?.stop();
  sdk = undefined;
};

/** Whether a request might be recorded, in the caller's trace `parent` or in a new trace. */
export const mayRecordRequest = (parent: SpanContext | undefined): boolean =>
  sdk !== undefined && (parent === undefined || sdk.mayRecordChild(parent));

// W3C Trace Context, 3.2: version 00 has exactly these fields. A later version may append more, which are
// ignored.
const TRACEPARENT =
  /^(?:00(?=.{53}$)|(?!00|ff)[0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

export const parseTraceparent = (text: unknown): SpanContext | undefined => {
  const [, traceId, spanId, flags = '0'] = (typeof text === 'string' && TRACEPARENT.exec(text)) || [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
};

export const formatTraceparent = (span: SpanContext): string =>
  `00-${span.traceId}-${span.spanId}-${isSampled(span) ? '01' : '00'}`;

/** Returns the caller's trace. A malformed `traceparent` is removed, together with its `tracestate`. */
export const extractTrace = (headers: IncomingHttpHeaders): SpanContext | undefined => {
  const { traceparent } = headers;
  if (traceparent === undefined) return undefined;
  const parent = parseTraceparent(traceparent);
  if (!parent) {
    delete headers['traceparent'];
    delete headers['tracestate'];
  }
  return parent;
};

export const currentTrace = (): SpanContext | undefined => trace.getSpanContext(context.active());

/** The current trace as a `traceparent`, to be stored with work that another process does later. */
export const currentTraceparent = (): string | undefined => {
  const current = currentTrace();
  return current && formatTraceparent(current);
};

export const toTraceContext = (parent: SpanContext | undefined): Context =>
  parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;

export const runInTrace = <Result>(parent: SpanContext | undefined, work: () => Result): Result =>
  parent ? context.with(toTraceContext(parent), work) : work();

/** Runs `work` in the trace of `span`, or in no trace if there is no span. */
export const runInSpan = <Result>(span: Span | undefined, work: () => Result): Result =>
  context.with(span ? trace.setSpan(ROOT_CONTEXT, span) : ROOT_CONTEXT, work);

/** Adds attributes to the span of the enclosing withSpan(). */
export const setSpanAttributes = (attributes: Attributes): void => {
  trace.getActiveSpan()?.setAttributes(attributes);
};

/**
 * Records `work` as a child span of the current trace; records nothing without one.
 * @param describeError adds attributes that cannot contain user input
 */
export const withSpan = <Result>(
  name: string,
  options: SpanOptions | (() => SpanOptions),
  work: () => Promise<Result>,
  describeError?: (error: unknown) => Attributes,
): Promise<Result> => {
  if (!sdk?.mayRecordChild(currentTrace())) return work();
  const spanOptions = typeof options === 'function' ? options() : options;
  return tracer.startActiveSpan(name, spanOptions, async (span) => {
    try {
      return await work();
    } catch (error) {
      setSpanError(span, getErrorType(error), describeError?.(error));
      throw error;
    } finally {
      span.end();
    }
  });
};

/** Starts a client span, which the caller ends; undefined if the trace `parent` is not recorded. */
export const startClientSpan = (name: string, parent: SpanContext | undefined): Span | undefined =>
  sdk?.mayRecordChild(parent)
    ? tracer.startSpan(name, { kind: SpanKind.CLIENT }, toTraceContext(parent))
    : undefined;

/** Continues a trace that was stored with work, possibly by another process and long ago. */
export const continueTrace = <Result>(
  traceparent: string | undefined,
  name: string,
  options: SpanOptions,
  work: () => Promise<Result>,
): Promise<Result> => runInTrace(parseTraceparent(traceparent), () => withSpan(name, options, work));
