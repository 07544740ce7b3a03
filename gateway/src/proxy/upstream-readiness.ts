import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { runPeriodically } from '@platform/shared/async/tasks';
import type { Log } from '@platform/shared/log/log';
import type { InstanceHealth } from './outlier-detection.ts';
import type { UpstreamInstance, UpstreamPool } from './upstream-pool.ts';

const HEALTH_CHECK_MILLISECONDS = 450;
/** Longer than a service waits for its own checks. */
const READINESS_MILLISECONDS = 900;

/** Uses a new connection, because an open one does not prove that the instance still accepts connections. */
const requestInstance = (baseUrl: string, path: string, milliseconds: number): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { 'X-Request-Id': 'gateway-readiness' };
    const signal = AbortSignal.timeout(milliseconds);
    get(new URL(path, baseUrl), { agent: false, headers, signal }, resolve).on('error', reject);
  });

const checkInstanceHealth = async (baseUrl: string, path: string): Promise<void> => {
  const response = await requestInstance(baseUrl, path, HEALTH_CHECK_MILLISECONDS);
  response.resume().on('error', () => undefined);
  if ((response.statusCode ?? 500) >= 500) throw new Error(`${baseUrl} responded ${response.statusCode}`);
};

/**
 * Resolves when at least one instance responds to `path` with a status below 500. A TCP connection alone
 * would prove too little, because the kernel accepts connections for a frozen process, too.
 */
export const checkUpstreamHealth = (baseUrls: string[], path: string): Promise<void> =>
  Promise.any(baseUrls.map((baseUrl) => checkInstanceHealth(baseUrl, path)));

type Readiness = Pick<InstanceHealth, 'isReady' | 'degraded'>;

const NOT_READY: Readiness = { isReady: false, degraded: [] };

const readReadiness = async (baseUrl: string): Promise<Readiness> => {
  const response = await requestInstance(baseUrl, '/readyz', READINESS_MILLISECONDS);
  const { degraded = [] } = (await json(response)) as { degraded?: string[] };
  return { isReady: response.statusCode === 200, degraded };
};

/** Reads `/readyz` of each instance every second. An instance that does not respond is not ready. */
export const startReadinessReads = (pool: UpstreamPool, log: Log) => {
  const read = async ({ url, health }: UpstreamInstance): Promise<void> => {
    const { isReady, degraded } = await readReadiness(url).catch(() => NOT_READY);
    if (isReady !== health.isReady || degraded.join() !== health.degraded.join())
      log.warn({ upstream: pool.name, url, isReady, degraded }, 'upstream readiness changed');
    Object.assign(health, { isReady, degraded });
  };
  const readAll = () => Promise.all(pool.instances.map(read));
  return runPeriodically(readAll, { intervalMilliseconds: 1_000, onError: () => undefined });
};
