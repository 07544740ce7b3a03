import { Agent, get } from 'node:http';
import type { UpstreamName } from '../upstreams.ts';

/** One process of a service. `target` has the form that http-proxy-middleware expects. */
export type UpstreamInstance = {
  readonly url: string;
  readonly target: { protocol: string; hostname: string; port: string };
  ejectedUntil: number;
};

const EJECTION_MILLISECONDS = 1_000;
const HEALTH_CHECK_MILLISECONDS = 450;

const toInstance = (url: string): UpstreamInstance => {
  const { protocol, hostname, port } = new URL(url);
  return { url, target: { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port }, ejectedUntil: 0 };
};

/** The instances of one service, selected by round robin. A failed instance is ejected for 1 s. */
export const createUpstreamPool = (name: UpstreamName, urls: string[]) => {
  let instances = urls.map(toInstance);
  let nextIndex = 0;

  return {
    name,
    get urls(): string[] {
      return instances.map(({ url }) => url);
    },
    /** Instances whose URL stays in the list keep their ejection. */
    replaceUrls: (newUrls: readonly string[]): void => {
      instances = newUrls.map((url) => instances.find((instance) => instance.url === url) ?? toInstance(url));
      nextIndex %= instances.length;
    },
    /** Avoids `failed`, the instance of the previous attempt. Uses ejected instances when no other is left. */
    select: (failed?: UpstreamInstance, now = Date.now()): UpstreamInstance => {
      const ordered = [...instances.slice(nextIndex), ...instances.slice(0, nextIndex)];
      const candidates = ordered.filter((instance) => instance !== failed);
      const instance = candidates.find(({ ejectedUntil }) => ejectedUntil <= now) ?? candidates[0] ?? failed;
      if (!instance) throw new Error(`${name} has no instance`);
      nextIndex = (instances.indexOf(instance) + 1) % instances.length;
      return instance;
    },
    /** Returns false when the instance was ejected already; its ejection is extended. */
    eject: (instance: UpstreamInstance, now = Date.now()): boolean => {
      const wasAvailable = instance.ejectedUntil <= now;
      instance.ejectedUntil = now + EJECTION_MILLISECONDS;
      return wasAvailable;
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
