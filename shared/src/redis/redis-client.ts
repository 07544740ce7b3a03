import type { createClient } from 'redis';

export type NodeRedisClient = ReturnType<typeof createClient>;
export type ClientOptions = NonNullable<Parameters<typeof createClient>[0]>;

/** The commands of the stores, on every engine. In a cluster, the keys of a script must have the same hash tag. */
export type RedisClient = {
  /** False while no server accepts commands. */
  readonly isReady: boolean;
  get: (key: string) => Promise<string | null>;
  getDel: (key: string) => Promise<string | null>;
  eval: (script: string, values: { keys: string[]; arguments: string[] }) => Promise<unknown>;
  lRange: (key: string, start: number, stop: number) => Promise<string[]>;
  /** With `NX`, null when the key exists. */
  set: (key: string, value: string, options: { EX: number; NX?: true }) => Promise<unknown>;
  del: (key: string) => Promise<number>;
  /** Seconds and microseconds, by the clock of the server that has `key`. */
  time: (key: string) => Promise<string[]>;
  destroy: () => void;
};

/** BullMQ needs a client of node-redis, which cannot be one of a cluster. */
export type QueueRedisClient = NodeRedisClient;
