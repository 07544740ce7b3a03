import { createServer, type Server } from 'node:http';
import type { Metrics } from '../metrics/metrics.ts';

/** Resolves when the named part can serve; rejects, or takes too long, when it cannot. */
export type Checks = Record<string, () => Promise<unknown>>;
export type Readiness = { ready: boolean; failing: string[] };

const CHECK_MILLISECONDS = 500;
const CACHE_MILLISECONDS = 1_000;

const withinLimit = (check: () => Promise<unknown>): Promise<unknown> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('took too long')), CHECK_MILLISECONDS);
  });
  return Promise.race([Promise.resolve().then(check), limit]).finally(() => clearTimeout(timer));
};

/** Names the parts that cannot serve. One answer serves a second, so that probes do not become load. */
export const createReadiness = (checks: Checks) => {
  let cached: { until: number; failing: Promise<string[]> } | undefined;
  let stopping = false;

  const findFailing = async (): Promise<string[]> => {
    const results = await Promise.all(
      Object.entries(checks).map(([name, check]) =>
        withinLimit(check).then(
          () => [],
          () => [name],
        ),
      ),
    );
    return results.flat();
  };

  return {
    read: async (): Promise<Readiness> => {
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

export type ReadinessReader = ReturnType<typeof createReadiness>;

/** /healthz: the process runs. /readyz: what it needs answers, else 503 naming what does not. /metrics: Prometheus. */
export const createOpsListener = (readiness: ReadinessReader, metrics: Metrics): Server =>
  createServer(async (req, res) => {
    const answer = (status: number, body: object) => {
      res.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
      res.end(JSON.stringify(body));
    };
    switch (req.method === 'GET' ? req.url : undefined) {
      case '/healthz':
        return answer(200, { status: 'ok' });
      case '/readyz': {
        const { ready, failing } = await readiness.read();
        return answer(ready ? 200 : 503, ready ? { status: 'ready' } : { status: 'unavailable', failing });
      }
      case '/metrics':
        res.writeHead(200, { 'Content-Type': metrics.contentType });
        return res.end(await metrics.expose());
      default:
        return answer(404, { status: 'unknown path' });
    }
  });
