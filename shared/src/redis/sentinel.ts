import { setTimeout as delay } from 'node:timers/promises';
import { createSentinel } from 'redis';
import type { RedisNode } from '../network/redis-url.ts';
import type { ClientOptions, RedisClient } from './redis-client.ts';

type SentinelOptions = {
  sentinels: readonly RedisNode[];
  /** The name by which the Sentinels know the primary. */
  name: string;
  /** Account, TLS and timeouts of the connections to the Sentinels. */
  sentinelOptions: ClientOptions;
  /** Account, TLS and timeouts of the connections to the primary. */
  clientOptions: ClientOptions;
};

/**
 * How often the Sentinels are queried for the primary. Queries are needed, because a frozen primary closes no
 * connection.
 */
const SCAN_MILLISECONDS = 1_000;
const RECONNECT_MILLISECONDS = 1_000;

const create = ({ sentinels, name, sentinelOptions, clientOptions }: SentinelOptions) => {
  const { commandOptions, ...nodeClientOptions } = clientOptions;
  const { commandOptions: _, ...sentinelClientOptions } = sentinelOptions;
  return createSentinel({
    name,
    sentinelRootNodes: [...sentinels],
    // During a failover commands fail at once. A request would have to wait for a retry, and the command
    // could run twice.
    maxCommandRediscovers: 0,
    scanInterval: SCAN_MILLISECONDS,
    ...(commandOptions && { commandOptions }),
    nodeClientOptions: nodeClientOptions as never,
    sentinelClientOptions: sentinelClientOptions as never,
  });
};

/**
 * A client of the primary that the Sentinels name. It has the methods of a createClient() client that BullMQ
 * calls, and that Sentinel clients lack or have with other parameters.
 */
export const createSentinelClient = (options: SentinelOptions): RedisClient => {
  const sentinel = create(options);
  const { connect, destroy, sendCommand } = sentinel;
  let isDestroyed = false;
  const client = Object.assign(sentinel, {
    /** Retries until a primary is found, whereas the original method rejects after the first attempt. */
    connect: async () => {
      while (!isDestroyed) {
        try {
          return await connect.call(sentinel);
        } catch (error) {
          sentinel.emit('error', error);
          await delay(RECONNECT_MILLISECONDS, undefined, { ref: false });
        }
      }
      return sentinel;
    },
    destroy: async () => {
      isDestroyed = true;
      // Callers do not await it, so a rejection would end the process.
      await destroy.call(sentinel).catch(() => undefined);
    },
    quit: async () => client.destroy(),
    disconnect: async () => client.destroy(),
    duplicate: () => createSentinelClient(options),
    sendCommand: (args: string[]) => sendCommand.call(sentinel, false, args),
    // Each command may use another connection to the primary, so a name would have no effect.
    clientSetName: async () => 'OK',
  });
  return client as unknown as RedisClient;
};
