import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ErrorReply, RedisClient as NodeRedisClient } from 'redis';
import { withTimeout } from '../async/tasks.ts';
import { AppError, unavailable } from '../errors/app-error.ts';
import { parseRedisUrl, type RedisAccount } from '../network/redis-url.ts';
import { toRedisKey } from './key-families.ts';
import type { ClientOptions, RedisClient } from './redis-client.ts';
import { createSentinelClient } from './sentinel.ts';

type OnError = (error: Error) => void;

/** The package's `createClient` builds the class of all commands, which takes 20 ms, for each URL. */
const createClient = NodeRedisClient.factory() as unknown as (options: ClientOptions) => RedisClient;

export const isSentinelUrl = (url: string): boolean => parseRedisUrl(url).engine === 'sentinel';

const reconnectDelay = (attempt: number): number => Math.min(100 * 2 ** attempt, 1_000);

/** Commands fail immediately while the client is disconnected, and after 2.5 s if the server is frozen. */
const FAIL_FAST = {
  disableOfflineQueue: true,
  // Without pings, only a hanging command would detect a frozen Redis.
  pingInterval: 500,
  commandsQueueMaxLength: 5_000,
  commandOptions: { timeout: 1_000 },
  socket: { connectTimeout: 1_000, socketTimeout: 1_500, reconnectStrategy: reconnectDelay },
} satisfies ClientOptions;

/** This client has no socket timeout, which blocking reads would exceed. */
const BLOCKING = {
  pingInterval: 5_000,
  socket: { connectTimeout: 2_000, reconnectStrategy: reconnectDelay },
} satisfies ClientOptions;

/**
 * Longer than the 10 s for which BullMQ blocks. Otherwise a blocking client that connects while the primary
 * is frozen would still wait for it after the failover.
 */
const FROZEN_PRIMARY = { socketTimeout: 12_000 };

type Preset = typeof FAIL_FAST | typeof BLOCKING;

const withLocation = (
  preset: Preset,
  { tls, account }: { tls: boolean; account: RedisAccount },
): ClientOptions => ({
  ...preset,
  ...account,
  socket: { ...preset.socket, ...(tls && { tls: true as const }) },
});

/** The time after which a response is late: less than the socket timeout, and more than a busy Redis takes. */
const LATE_MILLISECONDS = 1_000;
/** The time in which this process reads a response that has arrived while the process itself stood still. */
const READ_MILLISECONDS = 20;

/**
 * Rejects commands while the response of an earlier one is late. Otherwise the socket of a frozen Redis would not
 * time out under load, because Node restarts its timer at each write.
 */
const rejectWhileFrozen = (client: RedisClient): RedisClient => {
  const { sendCommand } = client;
  // Responses come in the order of the commands, so the first of these is the oldest.
  const sent = new Map<symbol, number>();
  const isLate = (): boolean => {
    const [oldest = Number.POSITIVE_INFINITY] = sent.values();
    return performance.now() - oldest > LATE_MILLISECONDS;
  };
  // The package returns an object that inherits from the client, whose methods call this one on the client itself.
  Object.assign(Object.getPrototypeOf(client), {
    sendCommand: async (...command: Parameters<typeof sendCommand>) => {
      if (isLate()) await delay(READ_MILLISECONDS);
      if (isLate()) throw new Error('Redis does not respond');
      const id = Symbol('command');
      sent.set(id, performance.now());
      try {
        return await sendCommand.apply(client, command);
      } finally {
        sent.delete(id);
      }
    },
  });
  return client;
};

const create = (url: string, preset: Preset): RedisClient => {
  const location = parseRedisUrl(url);
  if (location.engine === 'single') {
    const client = createClient({ ...preset, socket: { ...preset.socket }, url });
    return preset === FAIL_FAST ? rejectWhileFrozen(client) : client;
  }
  const { nodes, name, tls, sentinelAccount } = location;
  return createSentinelClient({
    sentinels: nodes,
    name,
    clientOptions: withLocation({ ...preset, socket: { ...FROZEN_PRIMARY, ...preset.socket } }, location),
    sentinelOptions: withLocation(FAIL_FAST, { tls, account: sentinelAccount }),
  });
};

const open = (client: RedisClient, onError: OnError): RedisClient => {
  const { destroy } = client;
  client.on('error', onError);
  // connect() settles only when Redis responds, but a process must be able to start without Redis.
  client.connect().catch(onError);
  return Object.assign(client, {
    destroy: () => {
      // A ping in flight fails during this call. BullMQ would emit the failure as an 'error' event, which
      // would end the process, because a closed queue has no listener.
      client.removeAllListeners('error').on('error', () => undefined);
      return destroy.call(client);
    },
  });
};

/** Creates a client that fails fast when Redis is unavailable, and reconnects automatically. */
export const connectRedis = (url: string, onError: OnError): RedisClient =>
  open(create(url, FAIL_FAST), onError);

/** Creates a client for a BullMQ worker. */
export const connectBlockingRedis = (url: string, onError: OnError): RedisClient =>
  open(create(url, BLOCKING), onError);

/** Whether the error is a response of Redis, such as READONLY, and not a lost connection. */
export const isErrorReply = (error: unknown): boolean => error instanceof ErrorReply;

/**
 * A readiness check that rejects unless each server accepts a write. A read-only replica and a server without
 * memory would still respond to PING.
 */
export const createRedisCheck =
  (processName: string, ...clients: RedisClient[]) =>
  async (): Promise<void> => {
    await Promise.all(
      clients.map((client) => client.set(toRedisKey('ready:*', processName), '1', { EX: 60 })),
    );
  };

const TIMEOUT_MILLISECONDS = 2_000;

/** Awaits the first connection. Rejects if it fails or takes too long. */
export const untilReady = async (client: RedisClient): Promise<void> => {
  if (!client.isReady) await once(client, 'ready', { signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });
};

/** Awaits a Redis command. A timeout or an error becomes 503. @throws AppError 503 */
export const withRedisTimeout = async <Result>(command: Promise<Result>): Promise<Result> => {
  try {
    return await withTimeout(command, TIMEOUT_MILLISECONDS, 'Redis took too long');
  } catch (error) {
    throw error instanceof AppError ? error : unavailable('Redis unavailable; retry later.', error);
  }
};

/**
 * With any policy except noeviction, Redis may evict codes and queued mails. The policy is checked at each
 * connection.
 */
export const warnUnlessNoEviction = (client: RedisClient, warn: (message: string) => void): void => {
  client.on('ready', () => {
    // This uses INFO, because an account without admin commands may not read the configuration.
    client.info('memory').then(
      (memory) => {
        const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
        if (policy !== 'noeviction')
          warn(
            `Redis may evict queued mails and codes: its maxmemory-policy is ${policy}. ` +
              'Set it to noeviction (CONFIG SET maxmemory-policy noeviction, and in redis.conf).',
          );
      },
      () => warn('Cannot read the maxmemory-policy of Redis: make sure that it is noeviction.'),
    );
  });
};
