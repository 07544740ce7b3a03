import { randomBytes } from 'node:crypto';
import { startCollector } from '@platform/shared/testing/otlp-collector';
import { waitFor } from '@platform/shared/testing/poll';
import type { BenchRun, SeededPlatform } from '../bench-run.ts';
import { measureSaturated } from '../interleaved-runs.ts';
import type { Request } from '../load/load.ts';
import { COST_COLUMNS, toCostRows, toRatio } from '../report/ratio.ts';
import { pidsOf } from '../targets/platform.ts';
import { meWorkload } from '../workloads.ts';

/** Of the traces, in the range that is usual in production. */
const RATIO = 0.01;

/** A gateway with its own auth-service, on the database of the platform. */
const startPair = async ({ platform }: SeededPlatform, variables: Record<string, string> = {}) => {
  const auth = await platform.startInstance('auth', {}, variables);
  const gateway = await platform.startInstance('gateway', { authUrl: auth.url }, variables);
  return {
    url: gateway.url,
    pids: {
      ...{ gateway: gateway.pid() ?? 0, 'auth-service': auth.pid() ?? 0 },
      ...pidsOf(platform.stack, ['postgres']),
    },
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

/** The processor time of `me` with tracing, relative to that without. */
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
    const results = await measureSaturated([
      { name: 'without tracing', url: plain.url, pids: plain.pids, ...workload },
      { name: 'with tracing', url: traced.url, pids: traced.pids, ...workload },
    ]);
    for (const request of workload.requests) await requireSpans(traced.url, collector, request);
    const percent = `${RATIO * 100} %`;
    run.report.addTable(`me, with tracing at ${percent}`, COST_COLUMNS, toCostRows(results));
    run.report.addResult(
      toRatio(results, {
        name: `me, processor time with tracing at ${percent} against without`,
        ...{ of: 'with tracing', to: 'without tracing', target: { atMost: 1.1 } },
      }),
    );
  } finally {
    for (const stop of stops) await stop();
  }
};
