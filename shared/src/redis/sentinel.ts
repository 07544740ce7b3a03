import { setTimeout as delay } from 'node:timers/promises';
import { createSentinel } from 'redis';
import type { ClientOptions, RedisClient } from './redis-client.ts';
import type { RedisNode } from './redis-url.ts';

type SentinelOptions = {
  sentinels: readonly RedisNode[];
  /** Under which the Sentinels know the primary. */
  name: string;
  /** Account, TLS and timeouts of the connections to the Sentinels. */
  sentinelOptions: ClientOptions;
  /** The same of the connections to the primary. */
  clientOptions: ClientOptions;
};

/** How often the Sentinels are queried for the primary: a frozen one closes no connection. */
const SCAN_MILLISECONDS = 1_000;
const RECONNECT_MILLISECONDS = 1_000;

const create = ({ sentinels, name, sentinelOptions, clientOptions }: SentinelOptions) => {
  const { commandOptions, ...nodeClientOptions } = clientOptions;
  const { commandOptions: _, ...sentinelClientOptions } = sentinelOptions;
  return createSentinel({
    name,
    sentinelRootNodes: [...sentinels],
    // During a failover commands fail at once: a request would wait for a retry, and the command could run
    // twice.
    maxCommandRediscovers: 0,
    scanInterval: SCAN_MILLISECONDS,
    ...(commandOptions && { commandOptions }),
    nodeClientOptions: nodeClientOptions as never,
    sentinelClientOptions: sentinelClientOptions as never,
  });
};

/**
 * A client of the primary that the Sentinels name, with the methods of a client of createClient() that BullMQ
 * calls and Sentinel clients lack, or have with other parameters.
 */
export const createSentinelClient = (options: SentinelOptions): RedisClient => {
  const sentinel = create(options);
  const { connect, destroy, sendCommand } = sentinel;
  let isDestroyed = false;
  const client = Object.assign(sentinel, {
    /** Tries until a primary is found; the original rejects after the first attempt. */
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
      // Callers do not wait for it, so a rejection would end the process.
      await destroy.call(sentinel).catch(() => undefined);
    },
    quit: async () => client.destroy(),
    disconnect: async () => client.destroy(),
    duplicate: () => createSentinelClient(options),
    sendCommand: (args: string[]) => sendCommand.call(sentinel, false, args),
    // The connection to the primary may be another one for each command.
    clientSetName: async () => 'OK',
  });
  return client as unknown as RedisClient;
};
