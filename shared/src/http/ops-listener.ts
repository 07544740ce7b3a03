import { createServer, type IncomingMessage, type Server } from 'node:http';
import { withTimeout } from '../async/with-timeout.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** Resolves when the named part can serve; rejects, or takes too long, when it cannot. */
export type ReadinessChecks = Record<string, () => Promise<unknown>>;
export type ReadinessState = { ready: boolean; failing: string[] };

const CHECK_MILLISECONDS = 500;
const CACHE_MILLISECONDS = 1_000;

const runCheck = (check: () => Promise<unknown>): Promise<unknown> =>
  withTimeout(Promise.resolve().then(check), CHECK_MILLISECONDS, 'The check timed out');

/** Names the parts that cannot serve. One answer serves a second, so that probes do not become load. */
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

/** /healthz: the process runs. /readyz: what it needs answers, else 503 naming what does not. /metrics: Prometheus. */
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

const isRead = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD';

/** Serves health, readiness and metrics. A request that fails unexpectedly is logged and gets 500. */
export const createOpsListener = (readiness: Readiness, metrics: Metrics, log: Log): Server => {
  const answers = new Map<string | undefined, () => Promise<OpsResponse>>(
    Object.entries(createRoutes(readiness, metrics)),
  );
  const answer = async ({ method, url }: IncomingMessage): Promise<OpsResponse> => {
    const find = isRead(method) ? answers.get(url) : undefined;
    return find ? await find() : json(404, { status: 'unknown path' });
  };
  return createServer(async (req, res) => {
    // Nobody awaits this listener: an error that it does not catch would end the process.
    const { status, contentType, body } = await answer(req).catch((error: unknown) => {
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
