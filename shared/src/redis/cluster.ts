import { setTimeout as delay } from 'node:timers/promises';
import { createCluster, ErrorReply } from 'redis';
import type { ClientOptions, RedisClient } from './redis-client.ts';
import type { RedisNode } from './redis-url.ts';

type ClusterOptions = {
  nodes: readonly RedisNode[];
  clientOptions: ClientOptions;
  onError: (error: Error) => void;
};

/** How long a lost node waits for the cluster to be discovered again. */
const DISCOVERY_MILLISECONDS = 500;

/** Longer than any command takes. */
const CLOSE_MILLISECONDS = 2_000;

const create = ({ nodes, clientOptions, onError }: ClusterOptions, onLost: () => void) => {
  const socket = { ...clientOptions.socket, reconnectStrategy: false as const };
  const cluster = createCluster({
    rootNodes: nodes.map(({ host, port }) => ({ socket: { ...socket, host, port } })) as ClientOptions[],
    defaults: { ...clientOptions, socket } as ClientOptions,
    // Discovery would wait for the nodes that are down.
    minimizeConnections: true,
    topologyRefreshOnReconnectionAttemptStrategy: false,
  });
  cluster.on('error', onError);
  cluster.on('node-error', (error: Error) => {
    onError(error);
    onLost();
  });
  return cluster;
};

type Cluster = ReturnType<typeof create>;

/** Lets the commands to the remaining nodes end. */
const closeLater = (cluster: Cluster): void => {
  cluster.removeAllListeners('node-error');
  setTimeout(() => cluster.destroy(), CLOSE_MILLISECONDS).unref();
};

/**
 * node-redis refreshes its map of a cluster late, and not at all for a node that it has never reached. So a lost node
 * replaces the whole client; the remaining nodes are used until then.
 */
export const connectCluster = (options: ClusterOptions): RedisClient => {
  let cluster: Cluster | undefined;
  let isStale = true;
  let isClosed = false;

  const markStale = (): void => {
    isStale = true;
  };
  const discover = async (): Promise<void> => {
    isStale = false;
    const next = create(options, markStale);
    try {
      await next.connect();
      if (cluster) closeLater(cluster);
      cluster = next;
      if (isClosed) next.destroy();
    } catch (error) {
      isStale = true;
      options.onError(error as Error);
    }
  };
  const keepDiscovered = async (): Promise<void> => {
    while (!isClosed) {
      if (isStale) await discover();
      await delay(DISCOVERY_MILLISECONDS, undefined, { ref: false });
    }
  };
  void keepDiscovered();

  const run = async <Result>(command: (cluster: Cluster) => Promise<Result>): Promise<Result> => {
    if (!cluster) throw new Error('The Redis cluster is not connected');
    try {
      return await command(cluster);
    } catch (error) {
      if (!(error instanceof ErrorReply)) isStale = true;
      throw error;
    }
  };
  return {
    get isReady() {
      return cluster?.isReady ?? false;
    },
    get: (key) => run((nodes) => nodes.get(key)),
    getDel: (key) => run((nodes) => nodes.getDel(key)),
    eval: (script, values) => run((nodes) => nodes.eval(script, values)),
    lRange: (key, start, stop) => run((nodes) => nodes.lRange(key, start, stop)),
    set: (key, value, values) => run((nodes) => nodes.set(key, value, values)),
    del: (key) => run((nodes) => nodes.del(key)),
    // TIME itself has no key, and the clocks of the nodes may differ.
    time: (key) =>
      run(async (nodes) => {
        const reply = await nodes.eval("return redis.call('TIME')", { keys: [key], arguments: [] });
        return reply as string[];
      }),
    destroy: () => {
      isClosed = true;
      cluster?.destroy();
    },
  };
};
