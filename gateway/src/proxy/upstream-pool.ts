import { Agent } from 'node:http';
import { MAX_UPSTREAM_CONNECTIONS } from '../edge/holdings.ts';
import {
  type Cause,
  createHealth,
  findAvoided,
  type Health,
  type Outcome,
  record,
  startTrial,
} from './avoidance.ts';
import type { RouteGroup } from './route-groups.ts';

/** One process of a service. `target` has the form that http-proxy-middleware expects. */
export type UpstreamInstance = {
  readonly url: string;
  readonly target: { protocol: string; hostname: string; port: string };
  readonly health: Health;
  requestsInFlight: number;
};

const toInstance = (url: string): UpstreamInstance => {
  const { protocol, hostname, port } = new URL(url);
  const target = { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port };
  return { url, target, health: createHealth(), requestsInFlight: 0 };
};

const hasFailedLast = ({ health: { conduct } }: UpstreamInstance, group: RouteGroup): boolean =>
  conduct[group].hasFailedLast || conduct.connection.hasFailedLast;

/** The first of the least busy. The fastest to fail would be one of them: its load is at least that of the others. */
const findLeastBusy = (instances: readonly UpstreamInstance[], group: RouteGroup) => {
  const working = instances.filter((instance) => !hasFailedLast(instance, group));
  const fewest = Math.min(...working.map(({ requestsInFlight }) => requestsInFlight));
  const getLoad = (instance: UpstreamInstance): number =>
    working.includes(instance) ? instance.requestsInFlight : Math.max(instance.requestsInFlight, fewest);
  return instances.reduce<UpstreamInstance | undefined>(
    (best, other) => (best && getLoad(best) <= getLoad(other) ? best : other),
    undefined,
  );
};

/**
 * The instances of one service. A frozen or slow instance gets few requests, because the one with the fewest in flight is
 * selected, in turn when several have. Times are milliseconds since the epoch.
 */
export const createUpstreamPool = (name: string, urls: readonly string[]) => {
  let instances = urls.map(toInstance);
  /** In turn for each group: the requests of two groups may alternate. */
  const selected = new Map<RouteGroup, string>();
  const without = (instance?: UpstreamInstance) => instances.filter((other) => other !== instance);
  const findPreferred = (group: RouteGroup, now: number): UpstreamInstance[] => {
    const healths = instances.map(({ health }) => health);
    const avoided = findAvoided(healths, group, now);
    return instances.filter((_, index) => !avoided[index]);
  };

  return {
    name,
    get urls(): string[] {
      return instances.map(({ url }) => url);
    },
    get instances(): readonly UpstreamInstance[] {
      return instances;
    },
    /** Instances whose URL stays in the list keep their state. */
    replaceUrls: (newUrls: readonly string[]): void => {
      instances = newUrls.map((url) => instances.find((instance) => instance.url === url) ?? toInstance(url));
    },
    /** Avoids `failed`, the instance of the previous attempt, and uses avoided instances when no other is left. */
    select: (group: RouteGroup, failed?: UpstreamInstance, now = Date.now()): UpstreamInstance => {
      const preferred = findPreferred(group, now).filter((instance) => instance !== failed);
      const candidates = preferred.length > 0 ? preferred : without(failed);
      const next = candidates.findIndex(({ url }) => url === selected.get(group)) + 1;
      const ordered = [...candidates.slice(next), ...candidates.slice(0, next)];
      const instance = findLeastBusy(ordered, group) ?? failed;
      if (!instance) throw new Error(`${name} has no instance`);
      selected.set(group, instance.url);
      for (const cause of [group, 'connection'] as const) startTrial(instance.health.conduct[cause], now);
      return instance;
    },
    hasOther: (instance: UpstreamInstance | undefined): boolean => without(instance).length > 0,
    /** Otherwise an outage that all instances share would double the requests. */
    hasBetter: (instance: UpstreamInstance | undefined, group: RouteGroup, now = Date.now()): boolean =>
      findPreferred(group, now).some((other) => other !== instance && !hasFailedLast(other, group)),
    /** Returns for how many milliseconds the instance is avoided from now on; 0 when nothing changes. */
    record: (instance: UpstreamInstance, cause: Cause, outcome: Outcome, now = Date.now()): number => {
      const others = without(instance).map(({ health }) => health.conduct[cause]);
      return record(instance.health.conduct[cause], outcome, others, now);
    },
  };
};

export type UpstreamPool = ReturnType<typeof createUpstreamPool>;

/** Closes idle connections after 30 s, long before the services do (65 s), so that it never reuses a closing connection. */
export const createUpstreamAgent = (): Agent =>
  new Agent({
    keepAlive: true,
    maxSockets: MAX_UPSTREAM_CONNECTIONS,
    maxFreeSockets: 64,
    timeout: 30_000,
    scheduling: 'lifo',
  });
