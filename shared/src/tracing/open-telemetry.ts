import { setTimeout as delay } from 'node:timers/promises';
import {
  type DiagLogger,
  DiagLogLevel,
  diag,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Span, SpanEnd, SpanStart, Tracer } from './span.ts';
import type { TraceContext } from './trace-context.ts';
import type { TracingSettings } from './tracing-settings.ts';

/** A collector that is away must not hold up a stop, whose own time is short. */
const FLUSH_MILLISECONDS = 2_000;
const COMPLAIN_EVERY_MILLISECONDS = 60_000;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const satisfies Record<SpanStart['kind'], SpanKind>;

const toSampler = ({ sampler, ratio }: TracingSettings): Sampler => {
  const roots = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const name = sampler.replace('parentbased_', '') as keyof typeof roots;
  const root = roots[name]();
  return name === sampler ? root : new ParentBasedSampler({ root });
};

/** Once a minute at most: a collector that is away is known after the first time. */
const complainTo = (onError: (error: unknown) => void): DiagLogger => {
  const quiet = () => undefined;
  let last = Number.NEGATIVE_INFINITY;
  const complain = (message: string) => {
    if (performance.now() - last < COMPLAIN_EVERY_MILLISECONDS) return;
    last = performance.now();
    onError(new Error(`Spans are lost: ${message}`));
  };
  return { error: complain, warn: complain, info: quiet, debug: quiet, verbose: quiet };
};

const toOtelContext = ({ traceId, spanId, isSampled }: TraceContext) =>
  trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  });

const endSpan = (span: OtelSpan, { name, attributes, errorType }: SpanEnd): void => {
  if (name !== undefined) span.updateName(name);
  if (attributes) span.setAttributes(attributes);
  if (errorType !== undefined) {
    span.setAttribute('error.type', errorType);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
};

const toSpan = (span: OtelSpan): Span => {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    context: { traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 },
    end: (end = {}) => endSpan(span, end),
  };
};

const createProvider = (service: string, settings: TracingSettings): TracerProvider =>
  new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': service }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: toSampler(settings),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        scheduledDelayMillis: settings.delayMilliseconds,
      }),
    ],
  });

/** Spans over OTLP/HTTP. The SDK reads OTEL_EXPORTER_OTLP_…, OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME by itself. */
export const createOpenTelemetryTracer = (
  service: string,
  settings: TracingSettings,
  onError: (error: unknown) => void,
): Tracer => {
  diag.setLogger(complainTo(onError), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const provider = createProvider(service, settings);
  const tracer = provider.getTracer('marketplace-platform');
  return {
    start: ({ name, kind, attributes = {} }, parent) =>
      toSpan(
        tracer.startSpan(
          name,
          { kind: KINDS[kind], attributes },
          parent ? toOtelContext(parent) : ROOT_CONTEXT,
        ),
      ),
    close: async () => {
      const flushed = provider.shutdown().catch(onError);
      await Promise.race([flushed, delay(FLUSH_MILLISECONDS, undefined, { ref: false })]);
    },
  };
};
