import { Agent, get } from 'node:http';
import type { UpstreamName } from '../upstreams.ts';

/** One process of a service. `target` has the form that http-proxy-middleware expects. */
export type UpstreamInstance = {
  readonly url: string;
  readonly target: { protocol: string; hostname: string; port: string };
  requestsInFlight: number;
  ejectedUntil: number;
  /** Since the last success; so are `firstFailureAt` and `ejections`, which counts those for failures only. */
  failures: number;
  firstFailureAt: number;
  ejections: number;
  lastSuccessAt: number;
};

const FAILURES_BEFORE_EJECTION = 3;
const EJECTION_MILLISECONDS = 1_000;
const MAX_EJECTION_MILLISECONDS = 30_000;
const HEALTH_CHECK_MILLISECONDS = 450;

const toInstance = (url: string): UpstreamInstance => {
  const { protocol, hostname, port } = new URL(url);
  return {
    url,
    target: { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port },
    requestsInFlight: 0,
    ejectedUntil: 0,
    failures: 0,
    firstFailureAt: 0,
    ejections: 0,
    lastSuccessAt: 0,
  };
};

const isEjected = ({ ejectedUntil }: UpstreamInstance, now: number): boolean => ejectedUntil > now;

/** After an ejection for failures, one request at a time tries the instance until one succeeds. */
const isSelectable = (instance: UpstreamInstance, now: number): boolean =>
  !isEjected(instance, now) && (instance.ejections === 0 || instance.requestsInFlight === 0);

/** The first of those with the fewest requests in flight. */
const findLeastBusy = (instances: readonly UpstreamInstance[]): UpstreamInstance | undefined =>
  instances.reduce<UpstreamInstance | undefined>(
    (best, other) => (best && best.requestsInFlight <= other.requestsInFlight ? best : other),
    undefined,
  );

const recordSuccess = (instance: UpstreamInstance, now = Date.now()): void => {
  instance.failures = 0;
  instance.ejections = 0;
  instance.lastSuccessAt = now;
};

/**
 * The instances of one service. A frozen or slow instance gets few requests, because the one with the fewest in flight is
 * selected, in turn when several have. Times are milliseconds since the epoch, and ejections end by themselves.
 */
export const createUpstreamPool = (name: UpstreamName, urls: string[]) => {
  let instances = urls.map(toInstance);
  let nextIndex = 0;
  const without = (instance?: UpstreamInstance) => instances.filter((other) => other !== instance);

  return {
    name,
    get urls(): string[] {
      return instances.map(({ url }) => url);
    },
    /** Instances whose URL stays in the list keep their state. */
    replaceUrls: (newUrls: readonly string[]): void => {
      instances = newUrls.map((url) => instances.find((instance) => instance.url === url) ?? toInstance(url));
      nextIndex %= instances.length;
    },
    /** Avoids `failed`, the instance of the previous attempt. Uses ejected instances when no other is left, those without failures first. */
    select: (failed?: UpstreamInstance, now = Date.now()): UpstreamInstance => {
      const ordered = [...instances.slice(nextIndex), ...instances.slice(0, nextIndex)];
      const candidates = ordered.filter((instance) => instance !== failed);
      const selectable = candidates.filter((instance) => isSelectable(instance, now));
      const withoutFailures = candidates.filter(({ failures }) => failures === 0);
      const instance =
        findLeastBusy(selectable) ?? findLeastBusy(withoutFailures) ?? findLeastBusy(candidates) ?? failed;
      if (!instance) throw new Error(`${name} has no instance`);
      nextIndex = (instances.indexOf(instance) + 1) % instances.length;
      return instance;
    },
    hasOther: (instance: UpstreamInstance | undefined): boolean => without(instance).length > 0,
    /** Otherwise an outage that all instances share would double the requests. */
    hasOtherWithoutFailures: (instance: UpstreamInstance | undefined, now = Date.now()): boolean =>
      without(instance).some((other) => other.failures === 0 && !isEjected(other, now)),
    recordSuccess,
    /**
     * Ejects the instance after three failures in succession, or one since its last ejection, for 1 s at first and up to 30 s,
     * if another instance has succeeded meanwhile. Returns the duration; 0 without an ejection.
     */
    recordFailure: (instance: UpstreamInstance, now = Date.now()): number => {
      if (isEjected(instance, now)) return 0;
      if (instance.failures === 0) instance.firstFailureAt = now;
      instance.failures += 1;
      if (instance.ejections === 0 && instance.failures < FAILURES_BEFORE_EJECTION) return 0;
      const since = instance.firstFailureAt;
      if (!without(instance).some((other) => other.lastSuccessAt >= since && !isEjected(other, now)))
        return 0;
      const duration = Math.min(EJECTION_MILLISECONDS * 2 ** instance.ejections, MAX_EJECTION_MILLISECONDS);
      instance.ejections += 1;
      instance.ejectedUntil = now + duration;
      return duration;
    },
    /** Ejects an instance that accepts no connections for 1 s. Returns 0 when it was ejected already. */
    eject: (instance: UpstreamInstance, now = Date.now()): number => {
      const wasEjected = isEjected(instance, now);
      instance.ejectedUntil = Math.max(instance.ejectedUntil, now + EJECTION_MILLISECONDS);
      return wasEjected ? 0 : EJECTION_MILLISECONDS;
    },
  };
};

export type UpstreamPool = ReturnType<typeof createUpstreamPool>;

/** Closes idle connections after 30 s, long before the services do (65 s), so that it never reuses a closing connection. */
export const createUpstreamAgent = (): Agent =>
  new Agent({
    keepAlive: true,
    maxSockets: 256,
    maxFreeSockets: 64,
    timeout: 30_000,
    scheduling: 'lifo',
  });

const checkInstanceHealth = (baseUrl: string, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = get(
      new URL(path, baseUrl),
      {
        // A new connection: an open one does not prove that the instance still accepts connections.
        agent: false,
        headers: { 'X-Request-Id': 'gateway-readiness' },
        signal: AbortSignal.timeout(HEALTH_CHECK_MILLISECONDS),
      },
      (response) => {
        response.resume();
        if ((response.statusCode ?? 500) < 500) resolve();
        else reject(new Error(`${baseUrl} responded ${response.statusCode}`));
      },
    );
    request.on('error', reject);
  });

/**
 * Resolves when at least one instance responds to `path` with a status below 500. A TCP connection would not prove enough:
 * the kernel accepts connections for a frozen process too.
 */
export const checkUpstreamHealth = (baseUrls: string[], path: string): Promise<void> =>
  Promise.any(baseUrls.map((baseUrl) => checkInstanceHealth(baseUrl, path)));
