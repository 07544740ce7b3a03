import { createClient } from 'redis';
import { sharedEngines } from './engines.ts';

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

const UNIX_SECONDS = /^1\d{9}$/;

/** Shifts the fields of a hash that end with `until`, which are Unix times in milliseconds. */
const ageFields = async (client: Client, key: string, seconds: number): Promise<void> => {
  for (const [field, value] of Object.entries(await client.hGetAll(key)))
    if (field.endsWith('until')) await client.hSet(key, field, String(Number(value) - seconds * 1_000));
};

/** The product stores sliding windows as lists of Unix times, and the ends of delays in hashes. */
const ageTimes = async (client: Client, key: string, seconds: number): Promise<void> => {
  const type = await client.type(key);
  if (type === 'hash') return await ageFields(client, key, seconds);
  if (type !== 'list') return;
  const times = await client.lRange(key, 0, -1);
  if (!times.every((time) => UNIX_SECONDS.test(time))) return;
  for (const [index, time] of times.entries()) await client.lSet(key, index, String(Number(time) - seconds));
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
    passTime: async (seconds: number) => {
      for (const key of await listKeys(client)) {
        await ageTimes(client, key, seconds);
        const milliseconds = await client.pTTL(key);
        if (milliseconds > 0) await client.pExpire(key, Math.max(milliseconds - seconds * 1_000, 0));
      }
    },
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
