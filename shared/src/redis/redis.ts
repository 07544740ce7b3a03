import { createClient } from 'redis';
import { withTimeout } from '../async/with-timeout.ts';
import { AppError, unavailable } from '../errors/app-error.ts';

const reconnectStrategy = (attempt: number): number => Math.min(100 * 2 ** attempt, 1_000);

/**
 * A client that fails fast when Redis is unavailable: commands fail immediately while it is disconnected, and after 1.5 s
 * when Redis is frozen. It reconnects automatically.
 */
export const connectRedis = (url: string, onError: (error: Error) => void) => {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    // Without pings only a hanging command would detect a frozen Redis.
    pingInterval: 500,
    commandsQueueMaxLength: 5_000,
    commandOptions: { timeout: 1_000 },
    socket: { connectTimeout: 1_000, socketTimeout: 1_500, reconnectStrategy },
  });
  client.on('error', onError);
  // connect() settles only when Redis responds, but a process must start without Redis.
  client.connect().catch(onError);
  return client;
};

export type RedisClient = ReturnType<typeof connectRedis>;

/** For a BullMQ worker: its blocking reads would exceed the socket timeout of connectRedis(). */
export const connectBlockingRedis = (url: string, onError: (error: Error) => void): RedisClient => {
  const client = createClient({
    url,
    pingInterval: 5_000,
    socket: { connectTimeout: 2_000, reconnectStrategy },
  });
  client.on('error', onError);
  client.connect().catch(onError);
  return client;
};

const TIMEOUT_MILLISECONDS = 2_000;

/** Awaits a Redis command; a timeout or an error is 503. @throws AppError 503 */
export const withRedisTimeout = async <Result>(command: Promise<Result>): Promise<Result> => {
  try {
    return await withTimeout(command, TIMEOUT_MILLISECONDS, 'Redis took too long');
  } catch (error) {
    throw error instanceof AppError ? error : unavailable('Redis unavailable; retry later.', error);
  }
};

/** With any other policy than noeviction Redis may evict codes and queued mails. Checked at each connection. */
export const warnUnlessNoEviction = (client: RedisClient, warn: (message: string) => void): void => {
  client.on('ready', () => {
    client.configGet('maxmemory-policy').then(
      ({ 'maxmemory-policy': policy }) => {
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
