import { Agent } from 'node:http';
import {
  createInstanceHealth,
  endTrial,
  findBest,
  type InstanceHealth,
  recordResult,
  startTrial,
} from './outlier-detection.ts';

/** The gateway's connections to an instance of a service. */
export const MAX_UPSTREAM_CONNECTIONS = 256;

/** One process of a service. `target` has the form that http-proxy-middleware expects. */
export type UpstreamInstance = {
  readonly url: string;
  readonly target: { protocol: string; hostname: string; port: string };
  readonly health: InstanceHealth;
  requestsInFlight: number;
  /** The number of the last selection of this instance. */
  lastSelection: number;
};

const toInstance = (url: string, isReady = true): UpstreamInstance => {
  const { protocol, hostname, port } = new URL(url);
  const target = { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port };
  return { url, target, health: createInstanceHealth(isReady), requestsInFlight: 0, lastSelection: 0 };
};

/** If several instances have the fewest requests in flight, they are selected in turn. */
const isLessBusy = (one: UpstreamInstance, other: UpstreamInstance): boolean =>
  one.requestsInFlight === other.requestsInFlight
    ? one.lastSelection < other.lastSelection
    : one.requestsInFlight < other.requestsInFlight;

/**
 * The instances of one service. Selects the best one with the fewest requests in flight, so that a slow
 * instance gets few requests. Times are milliseconds of performance.now().
 */
export const createUpstreamPool = (
  name: string,
  urls: readonly string[],
  { hasReadiness = false }: { hasReadiness?: boolean } = {},
) => {
  let instances = urls.map((url) => toInstance(url));
  let selections = 0;
  const without = (instance?: UpstreamInstance) => instances.filter((other) => other !== instance);

  return {
    name,
    get urls(): string[] {
      return instances.map(({ url }) => url);
    },
    get instances(): readonly UpstreamInstance[] {
      return instances;
    },
    /**
     * Instances whose URL stays in the list keep their state. A container has its address before its process
     * listens, so a new instance is not ready until its `/readyz` says so.
     */
    replaceUrls: (newUrls: readonly string[]): void => {
      const known = new Map(instances.map((instance) => [instance.url, instance]));
      instances = newUrls.map((url) => known.get(url) ?? toInstance(url, !hasReadiness));
    },
    /** The number of instances that get requests now. */
    countBest: (now = performance.now()): number => findBest(instances, now).length,
    hasOther: (instance: UpstreamInstance | undefined): boolean => without(instance).length > 0,
    /**
     * Selects an instance other than `failed`, the one of the first attempt, unless there is none. `release`
     * must be called afterwards.
     */
    select: (failed?: UpstreamInstance, now = performance.now()): UpstreamInstance => {
      const others = failed ? without(failed) : [];
      const best = findBest(others.length > 0 ? others : instances, now);
      const instance = best.reduce((least, other) => (isLessBusy(other, least) ? other : least));
      selections += 1;
      instance.lastSelection = selections;
      instance.requestsInFlight += 1;
      startTrial(instance.health);
      return instance;
    },
    release: (instance: UpstreamInstance, sentAt: number): void => {
      instance.requestsInFlight -= 1;
      endTrial(instance.health, sentAt);
    },
    /** Returns for how many milliseconds the instance is ejected from now on, or 0 if it is not. */
    record: (
      instance: UpstreamInstance,
      result: { isFailure: boolean; sentAt: number },
      now = performance.now(),
    ): number =>
      recordResult(
        instance.health,
        without(instance).map(({ health }) => health),
        result,
        now,
      ),
  };
};

export type UpstreamPool = ReturnType<typeof createUpstreamPool>;

/**
 * Closes idle connections after 30 s, long before the services do (65 s), so that the gateway never reuses a
 * connection that is being closed.
 */
export const createUpstreamAgent = (): Agent =>
  new Agent({
    keepAlive: true,
    maxSockets: MAX_UPSTREAM_CONNECTIONS,
    maxFreeSockets: 64,
    timeout: 30_000,
    scheduling: 'lifo',
  });
