import type { Span, SpanStart, Tracer } from './span.ts';
import { currentTrace, parseTraceparent, runInTrace, type TraceContext } from './trace-context.ts';
import type { TracingSettings } from './tracing-settings.ts';

// One for the process, as in OpenTelemetry itself: a span may begin wherever work does.
let tracer: Tracer | undefined;

export const startTracing = async (
  service: string,
  settings: TracingSettings | undefined,
  onError: (error: unknown) => void,
): Promise<void> => {
  if (!settings) return;
  // Loaded here and only here: a process that is not traced pays neither its memory nor its start.
  const { createOpenTelemetryTracer } = await import('./open-telemetry.ts');
  tracer = createOpenTelemetryTracer(service, settings, onError);
};

export const stopTracing = async (): Promise<void> => {
  await tracer?.close();
  tracer = undefined;
};

/** A span that may begin a trace; undefined while nothing is traced. */
export const startSpan = (start: SpanStart, parent: TraceContext | undefined): Span | undefined =>
  tracer?.start(start, parent);

const runInSpan = async <Result>(span: Span, work: () => Promise<Result>): Promise<Result> => {
  try {
    const result = await runInTrace(span.context, work);
    span.end();
    return result;
  } catch (error) {
    span.end({ errorType: error instanceof Error ? error.name : typeof error });
    throw error;
  }
};

/** A step of the trace at hand; without one it is done and leaves no span. */
export const withSpan = <Result>(start: SpanStart, work: () => Promise<Result>): Promise<Result> => {
  if (tracer === undefined) return work();
  const parent = currentTrace();
  return parent ? runInSpan(tracer.start(start, parent), work) : work();
};

/** Goes on, in this process and perhaps long after, with the trace that was left with a piece of work. */
export const continueTrace = <Result>(
  traceparent: string | undefined,
  start: SpanStart,
  work: () => Promise<Result>,
): Promise<Result> => runInTrace(parseTraceparent(traceparent), () => withSpan(start, work));
