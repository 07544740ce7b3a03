import { createClient } from 'redis';
import { withTimeout } from '../async/with-timeout.ts';
import { AppError, unavailable } from '../errors/app-error.ts';

const reconnectStrategy = (attempt: number): number => Math.min(100 * 2 ** attempt, 1_000);

/**
 * A client that never makes a request wait for a Redis that is away: commands fail at once while it is disconnected,
 * after 1.5 s when it is frozen, and it reconnects by itself.
 */
export const connectRedis = (url: string, onError: (error: Error) => void) => {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    // Without the pings an idle connection to a frozen Redis would only be noticed by a command that hangs.
    pingInterval: 500,
    commandsQueueMaxLength: 5_000,
    commandOptions: { timeout: 1_000 },
    socket: { connectTimeout: 1_000, socketTimeout: 1_500, reconnectStrategy },
  });
  client.on('error', onError);
  // connect() settles only once Redis answers: a process must start without it.
  client.connect().catch(onError);
  return client;
};

export type RedisClient = ReturnType<typeof connectRedis>;

/** For a queue's worker, which waits: its blocking reads would look like a frozen Redis to the client above. */
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
    throw error instanceof AppError ? error : unavailable('Redis cannot serve right now', error);
  }
};

/** Redis may drop what it holds, codes and queued mails, under any policy but noeviction: says so at each connection. */
export const warnUnlessNoEviction = (client: RedisClient, warn: (message: string) => void): void => {
  client.on('ready', () => {
    client.configGet('maxmemory-policy').then(
      ({ 'maxmemory-policy': policy }) => {
        if (policy !== 'noeviction')
          warn(
            `Redis may drop queued mails and codes: its maxmemory-policy is ${policy}. ` +
              'Set it to noeviction (CONFIG SET maxmemory-policy noeviction, and in redis.conf).',
          );
      },
      () => warn('Redis does not tell its maxmemory-policy: make sure that it is noeviction.'),
    );
  });
};
