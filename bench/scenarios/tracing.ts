import { startCollector } from '@platform/shared/testing/otlp-collector';
import { waitFor } from '@platform/shared/testing/poll';
import type { BenchRun, SeededPlatform } from '../bench-run.ts';
import { measureThroughput } from '../interleaved-runs.ts';
import { meWorkload } from '../workloads.ts';
import { RATE_COLUMNS, toRateRows, toRatio } from './throughput.ts';

/** Of the traces, in the range that is usual in production. */
const RATIO = 0.01;

/** A gateway with its own auth-service, on the database of the platform. */
const startPair = async ({ platform }: SeededPlatform, variables: Record<string, string> = {}) => {
  const auth = await platform.startInstance('auth', {}, variables);
  const gateway = await platform.startInstance('gateway', { authUrl: auth.url }, variables);
  return {
    url: gateway.url,
    stop: async () => {
      await gateway.stop();
      await auth.stop();
    },
  };
};

/** Otherwise the measurement would compare the same twice. */
const requireSpans = async ({ getSpans }: Awaited<ReturnType<typeof startCollector>>): Promise<void> => {
  for (const service of ['gateway', 'auth-service'])
    await waitFor(`spans of ${service} have arrived`, () =>
      getSpans().some((span) => span.service === service),
    );
};

/** The throughput of `me` through the gateway with tracing, relative to the throughput without. */
export const measureTracing = async (run: BenchRun): Promise<void> => {
  const platform = await run.small();
  const collector = await startCollector();
  const stops = [collector.stop];
  try {
    const plain = await startPair(platform);
    stops.unshift(plain.stop);
    const traced = await startPair(platform, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: String(RATIO),
    });
    stops.unshift(traced.stop);
    const workload = meWorkload(platform);
    const results = await measureThroughput([
      { name: 'without tracing', url: plain.url, ...workload },
      { name: 'with tracing', url: traced.url, ...workload },
    ]);
    await requireSpans(collector);
    const percent = `${RATIO * 100} %`;
    run.report.addTable(`me, with tracing at ${percent}`, RATE_COLUMNS, toRateRows(results));
    run.report.addResult(
      toRatio(results, {
        name: `me with tracing at ${percent} against without`,
        ...{ of: 'with tracing', to: 'without tracing', atLeast: 0.9 },
      }),
    );
  } finally {
    for (const stop of stops) await stop();
  }
};
