import { RedisClient } from 'redis';
import { sharedEngines } from './engines.ts';
import { passTimeOfKeys } from './pass-time.ts';

/** The package's `createClient` builds the class of all commands, which takes 20 ms, for each URL. */
const createClient = RedisClient.factory();
const connect = (url: string) => createClient({ url });
type Client = ReturnType<typeof connect>;

const listKeys = async (client: Client): Promise<string[]> => {
  const keys: string[] = [];
  for await (const found of client.scanIterator({ COUNT: 1_000 })) keys.push(...found);
  return keys;
};

const readValue = async (client: Client, key: string): Promise<unknown> => {
  const type = await client.type(key);
  switch (type) {
    case 'string':
      return await client.get(key);
    case 'hash':
      return await client.hGetAll(key);
    case 'list':
      return await client.lRange(key, 0, -1);
    case 'set':
      return await client.sMembers(key);
    case 'zset':
      return await client.zRange(key, 0, -1);
    case 'stream':
      return await client.xRange(key, '-', '+');
    case 'none':
      return null; // expired since the scan
    default:
      throw new Error(`A Redis value of type ${type} cannot be read here`);
  }
};

const passTime = async (client: Client, seconds: number): Promise<void> => {
  // A scan can return a key twice.
  await passTimeOfKeys(client, [...new Set(await listKeys(client))], seconds);
};

/** Simulates for a running stack that this many seconds have passed for what Redis stores. */
export const passTimeAt = async (url: string, seconds: number): Promise<void> => {
  const client = connect(url);
  await client.connect();
  await passTime(client, seconds).finally(() => client.destroy());
};

/** Returns every key with its value as text, for tests of what must not be stored. */
export const dumpRedis = async (client: Client): Promise<Record<string, string>> => {
  const entries: [string, string][] = [];
  for (const key of await listKeys(client)) entries.push([key, JSON.stringify(await readValue(client, key))]);
  return Object.fromEntries(entries);
};

// Valkey has sixteen databases. The running stack uses number 0.
const unusedNumbers = Array.from({ length: 15 }, (_, index) => index + 1);

/** Acquires an empty, numbered database of the test run's Valkey. No worker processes its queues. */
export const createTestRedis = async () => {
  const { redisUrl } = await sharedEngines();
  const number = unusedNumbers.shift();
  if (number === undefined) throw new Error('Every database of the test Valkey is in use');
  const url = `${redisUrl}/${number}`;
  const client = connect(url);
  client.on('error', () => undefined);
  await client.connect();
  await client.flushDb();
  return {
    url,
    client,
    /**
     * Simulates that this many seconds have passed: shortens the TTL of every key, and ages the times in
     * lists.
     */
    passTime: (seconds: number) => passTime(client, seconds),
    dump: () => dumpRedis(client),
    /** Empties the database and releases its number. */
    drop: async () => {
      await client.flushDb();
      client.destroy();
      unusedNumbers.push(number);
    },
  };
};

export type TestRedis = Awaited<ReturnType<typeof createTestRedis>>;
