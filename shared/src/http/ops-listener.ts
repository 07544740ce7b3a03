import { createServer, type IncomingMessage, type Server } from 'node:http';
import { withTimeout } from '../async/with-timeout.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** By dependency: resolves when it is available, rejects or times out when it is not. */
export type ReadinessChecks = Record<string, () => Promise<unknown>>;
type ReadinessState = { ready: boolean; failing: string[] };
type CheckResults = Record<string, boolean>;

const CHECK_MILLISECONDS = 500;
const CACHE_MILLISECONDS = 1_000;

const runCheck = (check: () => Promise<unknown>): Promise<unknown> =>
  withTimeout(Promise.resolve().then(check), CHECK_MILLISECONDS, 'The check timed out');

const runChecks = async (checks: ReadinessChecks): Promise<CheckResults> => {
  const results = Object.entries(checks).map(([name, check]) =>
    runCheck(check).then(
      () => [name, true] as const,
      () => [name, false] as const,
    ),
  );
  return Object.fromEntries(await Promise.all(results));
};

/** Checks the dependencies. Results are cached for a second, so that probes and scrapes add no load. */
export const createReadiness = (checks: ReadinessChecks) => {
  let cached: { until: number; results: Promise<CheckResults> } | undefined;
  let stopping = false;

  const runCached = (): Promise<CheckResults> => {
    if (!cached || cached.until < Date.now())
      cached = { until: Date.now() + CACHE_MILLISECONDS, results: runChecks(checks) };
    return cached.results;
  };

  return {
    read: async (): Promise<ReadinessState> => {
      if (stopping) return { ready: false, failing: ['stopping'] };
      const results = Object.entries(await runCached());
      const failing = results.filter(([, succeeds]) => !succeeds).map(([name]) => name);
      return { ready: failing.length === 0, failing };
    },
    /** The result of each check; undefined during shutdown, when failing checks are expected. */
    readChecks: async (): Promise<CheckResults | undefined> => (stopping ? undefined : await runCached()),
    stop: () => {
      stopping = true;
    },
  };
};

export type Readiness = ReturnType<typeof createReadiness>;

/** The checks of /readyz as a metric: alerts need to know that a process which responds is not ready. */
export const registerReadinessMetric = (metrics: Metrics, readiness: Readiness): void =>
  metrics.labeledGauge(
    'readiness_check_success',
    'Whether a dependency passes its readiness check (1) or not (0); absent during shutdown',
    'check',
    async () => {
      const results = await readiness.readChecks();
      if (results === undefined) return undefined;
      return Object.fromEntries(Object.entries(results).map(([name, succeeds]) => [name, succeeds ? 1 : 0]));
    },
  );

type OpsResponse = { status: number; contentType: string; body: string };

const json = (status: number, body: object): OpsResponse => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify(body),
});

/** /healthz: liveness. /readyz: readiness, 503 with the failing dependencies. /metrics: Prometheus. */
const createRoutes = (readiness: Readiness, metrics: Metrics) => ({
  '/healthz': async () => json(200, { status: 'ok' }),
  '/readyz': async () => {
    const { ready, failing } = await readiness.read();
    return json(ready ? 200 : 503, ready ? { status: 'ready' } : { status: 'unavailable', failing });
  },
  '/metrics': async () => ({
    status: 200,
    contentType: metrics.contentType,
    body: await metrics.render(),
  }),
});

const isSafe = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD';

/** Serves health, readiness and metrics. An unexpected error is logged and becomes 500. */
export const createOpsListener = (readiness: Readiness, metrics: Metrics, log: Log): Server => {
  const routes = new Map<string | undefined, () => Promise<OpsResponse>>(
    Object.entries(createRoutes(readiness, metrics)),
  );
  const respond = async ({ method, url }: IncomingMessage): Promise<OpsResponse> => {
    const handler = isSafe(method) ? routes.get(url) : undefined;
    return handler ? await handler() : json(404, { status: 'unknown path' });
  };
  return createServer(async (req, res) => {
    // http.Server does not await its listener: an uncaught error would end the process.
    const { status, contentType, body } = await respond(req).catch((error: unknown) => {
      log.error({ err: error, path: req.url }, 'operations request failed');
      return json(500, { status: 'internal error' });
    });
    res.writeHead(status, {
      'Content-Type': contentType,
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
    });
    res.end(body);
  });
};
