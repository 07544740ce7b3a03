import { createServer, type IncomingMessage, type Server } from 'node:http';
import { withTimeout } from '../async/with-timeout.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** By dependency: resolves when it is available, rejects or times out when it is not. */
export type ReadinessChecks = Record<string, () => Promise<unknown>>;
type ReadinessState = { ready: boolean; failing: string[] };

const CHECK_MILLISECONDS = 500;
const CACHE_MILLISECONDS = 1_000;

const runCheck = (check: () => Promise<unknown>): Promise<unknown> =>
  withTimeout(Promise.resolve().then(check), CHECK_MILLISECONDS, 'The check timed out');

/** Lists the unavailable dependencies. Results are cached for a second, so that probes add no load. */
export const createReadiness = (checks: ReadinessChecks) => {
  let cached: { until: number; failing: Promise<string[]> } | undefined;
  let stopping = false;

  const findFailing = async (): Promise<string[]> => {
    const results = await Promise.all(
      Object.entries(checks).map(([name, check]) =>
        runCheck(check).then(
          () => [],
          () => [name],
        ),
      ),
    );
    return results.flat();
  };

  return {
    read: async (): Promise<ReadinessState> => {
      if (stopping) return { ready: false, failing: ['stopping'] };
      if (!cached || cached.until < Date.now())
        cached = { until: Date.now() + CACHE_MILLISECONDS, failing: findFailing() };
      const failing = await cached.failing;
      return { ready: failing.length === 0, failing };
    },
    stop: () => {
      stopping = true;
    },
  };
};

export type Readiness = ReturnType<typeof createReadiness>;

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
