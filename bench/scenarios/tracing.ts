import { randomBytes } from 'node:crypto';
import { startCollector } from '@platform/shared/testing/otlp-collector';
import { waitFor } from '@platform/shared/testing/poll';
import type { BenchRun, SeededPlatform } from '../bench-run.ts';
import { measureThroughput } from '../interleaved-runs.ts';
import type { Request } from '../load/load.ts';
import { toRatio } from '../report/ratio.ts';
import { meWorkload } from '../workloads.ts';
import { RATE_COLUMNS, toRateRows } from './throughput.ts';

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

type Collector = Awaited<ReturnType<typeof startCollector>>;

/** Sends a sampled request, because an export that fails would cost less. */
const requireSpans = async (
  url: string,
  { getSpans }: Collector,
  { path, headers }: Request,
): Promise<void> => {
  const traceId = randomBytes(16).toString('hex');
  const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
  await fetch(url + path, { headers: { ...headers, traceparent } });
  await waitFor(
    'the spans of both processes have arrived',
    () => new Set(getSpans(traceId).map(({ service }) => service)).size === 2,
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
    for (const request of workload.requests) await requireSpans(traced.url, collector, request);
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
