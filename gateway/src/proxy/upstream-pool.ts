import { Agent } from 'node:http';
import type { UpstreamName } from '../upstreams.ts';

/** One process of a service. `target` is in the proxy's words. */
export type Instance = {
  readonly url: string;
  readonly target: { protocol: string; hostname: string; port: string };
  leftOutUntil: number;
};

const LEFT_OUT_MILLISECONDS = 1_000;

const toInstance = (url: string): Instance => {
  const { protocol, hostname, port } = new URL(url);
  return { url, target: { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port }, leftOutUntil: 0 };
};

/** The processes of one service, taken in turn. An instance that fails is passed over for a second. */
export const createInstances = (name: UpstreamName, urls: string[]) => {
  let instances = urls.map(toInstance);
  let turn = 0;

  return {
    name,
    get urls(): string[] {
      return instances.map(({ url }) => url);
    },
    /** Takes these in place of the ones before; one that stays keeps what is known of it. */
    replace: (current: readonly string[]): void => {
      instances = current.map((url) => instances.find((instance) => instance.url === url) ?? toInstance(url));
      turn %= instances.length;
    },
    /** `failed` is what the attempt before chose. When all are left out, they are tried in turn: one may be back. */
    choose: (failed?: Instance, now = Date.now()): Instance => {
      const inTurn = [...instances.slice(turn), ...instances.slice(0, turn)];
      const others = inTurn.filter((instance) => instance !== failed);
      const instance = others.find(({ leftOutUntil }) => leftOutUntil <= now) ?? others[0] ?? failed;
      if (!instance) throw new Error(`${name} has no instance`);
      turn = (instances.indexOf(instance) + 1) % instances.length;
      return instance;
    },
    /** Returns whether it was in until now. */
    leaveOut: (instance: Instance, now = Date.now()): boolean => {
      const wasIn = instance.leftOutUntil <= now;
      instance.leftOutUntil = now + LEFT_OUT_MILLISECONDS;
      return wasIn;
    },
  };
};

export type Instances = ReturnType<typeof createInstances>;

/** An idle connection is closed here well before the services close it, after 65 s: none is reused while it goes. */
export const createUpstreamAgent = (): Agent =>
  new Agent({
    keepAlive: true,
    maxSockets: 256,
    maxFreeSockets: 64,
    timeout: 30_000,
    scheduling: 'lifo',
  });
