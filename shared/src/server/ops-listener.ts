import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { withTimeout } from '../async/tasks.ts';
import { toLoggedPath } from '../http/request-logging.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';

/**
 * A check for each dependency. It resolves if the dependency is available, and rejects or times out if it is
 * not.
 */
export type ReadinessChecks = Record<string, () => Promise<unknown>>;
/** The process can serve without the `degraded` dependencies. */
type ReadinessState = { ready: boolean; failing: string[]; degraded: string[] };
type CheckResults = Record<string, boolean>;

const CHECK_MILLISECONDS = 500;
const CACHE_MILLISECONDS = 1_000;

const runChecks = async (checks: ReadinessChecks): Promise<CheckResults> => {
  const results = Object.entries(checks).map(async ([name, check]) => {
    const checked = withTimeout(Promise.resolve().then(check), CHECK_MILLISECONDS, 'The check timed out');
    const succeeds = await checked.then(
      () => true,
      () => false,
    );
    return [name, succeeds] as const;
  });
  return Object.fromEntries(await Promise.all(results));
};

/**
 * Checks the dependencies. Results are cached for a second, so that probes and scrapes add no load.
 * @param optional the dependencies that the process can serve without
 */
export const createReadiness = (required: ReadinessChecks, optional: ReadinessChecks = {}) => {
  let cached: { until: number; results: Promise<CheckResults> } | undefined;
  let stopping = false;

  const runCached = (): Promise<CheckResults> => {
    const now = performance.now();
    if (!cached || cached.until < now)
      cached = { until: now + CACHE_MILLISECONDS, results: runChecks({ ...required, ...optional }) };
    return cached.results;
  };

  return {
    read: async (): Promise<ReadinessState> => {
      if (stopping) return { ready: false, failing: ['stopping'], degraded: [] };
      const results = await runCached();
      const findFailing = (checks: ReadinessChecks) => Object.keys(checks).filter((name) => !results[name]);
      const failing = findFailing(required);
      return { ready: failing.length === 0, failing, degraded: findFailing(optional) };
    },
    /** Returns the result of each check, or undefined during shutdown, when failing checks are expected. */
    readChecks: async (): Promise<CheckResults | undefined> => (stopping ? undefined : await runCached()),
    isRequired: (check: string): boolean => check in required,
    stop: () => {
      stopping = true;
    },
  };
};

export type Readiness = ReturnType<typeof createReadiness>;

/**
 * Exports the checks of /readyz as a metric, because alerts must detect a process that responds but is not
 * ready.
 */
export const registerReadinessMetric = (metrics: Metrics, readiness: Readiness): void =>
  metrics.sampledGauge(
    'readiness_check_success',
    'Whether a dependency passes its readiness check (1) or not (0); absent during shutdown',
    ['check', 'required'],
    async () => {
      const results = await readiness.readChecks();
      if (results === undefined) return undefined;
      return Object.entries(results).map(([check, succeeds]) => ({
        labels: { check, required: String(readiness.isRequired(check)) },
        value: succeeds ? 1 : 0,
      }));
    },
  );

/** An object is sent as JSON, and text in the Prometheus format. */
type OpsResponse = { status: number; body: object | string };

/**
 * The response of /readyz: 503 with the failing dependencies. `degraded` contains those that the process can
 * serve without.
 */
export const readReadiness = async (readiness: Readiness) => {
  const { ready, failing, degraded } = await readiness.read();
  const status = ready ? { status: 'ready' } : { status: 'unavailable', failing };
  return { status: ready ? 200 : 503, body: { ...status, ...(degraded.length > 0 && { degraded }) } };
};

const send = (res: ServerResponse, { status, body }: OpsResponse, textType = 'text/plain'): void => {
  const isText = typeof body === 'string';
  const text = isText ? body : JSON.stringify(body);
  res.writeHead(status, {
    'Content-Type': isText ? textType : 'application/json',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  });
  res.end(text);
};

const HEALTHY: OpsResponse = { status: 200, body: { status: 'ok' } };

/**
 * Also serves the health of an API on its own port, because the gateway polls it and does not know the
 * operations ports. Before the app, so that the polls leave no spans and no lines in the access log.
 */
export const withHealthRoutes =
  (readiness: Readiness, app: RequestListener): RequestListener =>
  async (req, res) => {
    if (req.method === 'GET' && req.url === '/healthz') send(res, HEALTHY);
    else if (req.method === 'GET' && req.url === '/readyz') send(res, await readReadiness(readiness));
    else app(req, res);
  };

/** Serves health, readiness and metrics without Express, which the worker does not load. */
export const createOpsListener = (readiness: Readiness, metrics: Metrics, log: Log): RequestListener => {
  const respond = async ({ method = '', url }: IncomingMessage): Promise<OpsResponse> => {
    const path = ['GET', 'HEAD'].includes(method) ? url : undefined;
    if (path === '/healthz') return HEALTHY;
    if (path === '/readyz') return await readReadiness(readiness);
    if (path === '/metrics') return { status: 200, body: await metrics.render() };
    return { status: 404, body: { status: 'unknown path' } };
  };
  return async (req, res) => {
    // http.Server does not await its listener, so an uncaught error would end the process.
    const response = await respond(req).catch((error: unknown): OpsResponse => {
      log.error({ err: error, path: toLoggedPath(req.url ?? '') }, 'operations request failed');
      return { status: 500, body: { status: 'internal error' } };
    });
    send(res, response, metrics.contentType);
  };
};
