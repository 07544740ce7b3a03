import { setTimeout as delay } from 'node:timers/promises';
import { type DiagLogger, DiagLogLevel, diag, trace } from '@opentelemetry/api';
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
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingSettings } from '../config/process-variables.ts';
import { startRedisSpans } from './redis-spans.ts';
import { createMayRecordChild, INSTANCE_ID, SCHEMA_URL, tracer, VERSION } from './tracer.ts';

/** How long spans are collected before they are sent: short, so that a trace is there when somebody looks for it. */
const EXPORT_DELAY_MILLISECONDS = 500;

/** An unreachable collector must not delay shutdown, which is limited, too. */
const FLUSH_MILLISECONDS = 2_000;

const PARENT_BASED = 'parentbased_';

/** A caller chooses the id of its trace and thus could choose what `traceidratio` keeps. */
const createRandomSampler = (ratio: number): Sampler => ({
  shouldSample: () => ({
    decision: Math.random() < ratio ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
  }),
  toString: () => `Random(${ratio})`,
});

export const createSampler = ({ sampler, ratio, trustsCallers }: TracingSettings): Sampler => {
  const roots = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => (trustsCallers ? new TraceIdRatioBasedSampler(ratio) : createRandomSampler(ratio)),
  };
  const name = sampler.replace(PARENT_BASED, '') as keyof typeof roots;
  const root = roots[name]();
  if (!trustsCallers)
    return new ParentBasedSampler({ root, remoteParentSampled: root, remoteParentNotSampled: root });
  return name === sampler ? root : new ParentBasedSampler({ root });
};

const createDiagLogger = (onError: (error: unknown) => void): DiagLogger => {
  const ignore = () => undefined;
  const report = (message: string) => onError(new Error(`Spans are lost: ${message}`));
  return { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore };
};

/** OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME take precedence. */
const createResource = (service: string) =>
  defaultResource()
    .merge(
      resourceFromAttributes(
        {
          'service.namespace': 'marketplace',
          'service.name': service,
          'service.version': VERSION,
          'service.instance.id': INSTANCE_ID,
        },
        { schemaUrl: SCHEMA_URL },
      ),
    )
    .merge(detectResources({ detectors: [envDetector] }));

/**
 * Exports spans over OTLP/HTTP. The SDK reads OTEL_EXPORTER_OTLP_…, OTEL_RESOURCE_ATTRIBUTES and
 * OTEL_SERVICE_NAME from the environment.
 */
export const startTracingSdk = (
  service: string,
  settings: TracingSettings,
  onError: (error: unknown) => void,
) => {
  diag.setLogger(createDiagLogger(onError), {
    logLevel: DiagLogLevel.WARN,
    suppressOverrideMessage: true,
  });
  const resource = createResource(service);
  const exporter = new OTLPTraceExporter();
  const processor = new BatchSpanProcessor({ exporter, scheduledDelayMillis: EXPORT_DELAY_MILLISECONDS });
  const provider = new TracerProvider({
    resource,
    sampler: createSampler(settings),
    spanProcessors: [processor],
  });
  trace.setGlobalTracerProvider(provider);
  const mayRecordChild = createMayRecordChild(
    settings.trustsCallers && settings.sampler.startsWith(PARENT_BASED),
  );
  const stopRedisSpans = startRedisSpans(tracer, mayRecordChild);
  return {
    instanceId: String(resource.attributes['service.instance.id']),
    mayRecordChild,
    stop: async () => {
      stopRedisSpans();
      const flushed = provider.shutdown().catch(onError);
      await Promise.race([flushed, delay(FLUSH_MILLISECONDS, undefined, { ref: false })]);
      trace.disable();
    },
  };
};

export type TracingSdk = ReturnType<typeof startTracingSdk>;
