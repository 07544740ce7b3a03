import { createClient } from 'redis';

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
    socket: {
      connectTimeout: 1_000,
      socketTimeout: 1_500,
      reconnectStrategy: (attempt) => Math.min(100 * 2 ** attempt, 1_000),
    },
  });
  client.on('error', onError);
  // connect() settles only once Redis answers: a process must start without it.
  client.connect().catch(onError);
  return client;
};

export type RedisClient = ReturnType<typeof connectRedis>;
