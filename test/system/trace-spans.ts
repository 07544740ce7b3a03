import { type CollectedSpan, startCollector } from '@platform/shared/testing/otlp-collector';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';

type TracedPlatform = { running: RunningStack; collector: Awaited<ReturnType<typeof startCollector>> };

/** Starts a collector and a separate stack that sends spans to it. */
export const useTracedPlatform = (settings: Record<string, string> = {}): (() => TracedPlatform) => {
  let platform: TracedPlatform | undefined;
  before('start a collector and a stack that sends to it', async () => {
    const collector = await startCollector();
    const running = await startStack({
      ...settings,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    platform = { running, collector };
  });
  after('stop the stack and the collector', async () => {
    await platform?.running.stop();
    await platform?.collector.stop();
  });
  return () => {
    if (!platform) throw new Error('The platform is available only while the tests run');
    return platform;
  };
};

export const childrenOf = ({ spanId }: CollectedSpan, spans: CollectedSpan[]) =>
  spans.filter(({ parentSpanId }) => parentSpanId === spanId);

/** Finds the only span of the service with this name. */
export const findSpan = (spans: CollectedSpan[], service: string, name: string): CollectedSpan => {
  const found = spans.filter((span) => span.service === service && span.name === name);
  const names = spans.map((span) => `${span.service} ${span.name}`);
  expect(found.length, `${service} ${name} in ${names.join(', ')}`).to.equal(1);
  return found[0] as CollectedSpan;
};

export const isRedisSpan = ({ attributes }: CollectedSpan): boolean =>
  attributes['db.system.name'] === 'redis';
