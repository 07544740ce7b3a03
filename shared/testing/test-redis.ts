import { createClient } from 'redis';
import { sharedStack } from './stack.ts';

const connect = (url: string) => createClient({ url });
type Client = ReturnType<typeof connect>;

export type TestRedis = {
  url: string;
  client: Client;
  /** As if so many seconds had passed: every key that lives for a time has so much less left, and times in lists are older. */
  passTime: (seconds: number) => Promise<void>;
  /** All that it holds, for tests of what it must not hold: each key with its value as text. */
  dump: () => Promise<Record<string, string>>;
  /** Empties it and gives it back. */
  drop: () => Promise<void>;
};

const keysOf = async (client: Client): Promise<string[]> => {
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
      return null; // gone since it was found
    default:
      throw new Error(`A Redis value of type ${type} cannot be read here`);
  }
};

const UNIX_SECONDS = /^1\d{9}$/;

/** Lists of nothing but times in seconds are how the product keeps sliding windows. */
const ageTimes = async (client: Client, key: string, seconds: number): Promise<void> => {
  if ((await client.type(key)) !== 'list') return;
  const times = await client.lRange(key, 0, -1);
  if (!times.every((time) => UNIX_SECONDS.test(time))) return;
  for (const [index, time] of times.entries()) await client.lSet(key, index, String(Number(time) - seconds));
};

// Valkey has sixteen databases; number 0 is the running stack's.
const freeNumbers = Array.from({ length: 15 }, (_, index) => index + 1);

/** A numbered, empty database of the test run's Valkey for a suite of its own; nobody takes mails from its queues. */
export const createTestRedis = async (): Promise<TestRedis> => {
  const { redisUrl } = (await sharedStack()).stack;
  const number = freeNumbers.shift();
  if (number === undefined) throw new Error('Every database of the test Valkey is in use');
  const url = `${redisUrl}/${number}`;
  const client = connect(url);
  client.on('error', () => undefined);
  await client.connect();
  await client.flushDb();
  return {
    url,
    client,
    passTime: async (seconds) => {
      for (const key of await keysOf(client)) {
        await ageTimes(client, key, seconds);
        const milliseconds = await client.pTTL(key);
        if (milliseconds > 0) await client.pExpire(key, Math.max(milliseconds - seconds * 1_000, 0));
      }
    },
    dump: async () => {
      const entries: [string, string][] = [];
      for (const key of await keysOf(client))
        entries.push([key, JSON.stringify(await readValue(client, key))]);
      return Object.fromEntries(entries);
    },
    drop: async () => {
      await client.flushDb();
      client.destroy();
      freeNumbers.push(number);
    },
  };
};
