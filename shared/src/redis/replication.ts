import { withRedisTimeout } from './redis.ts';
import type { QueueRedisClient } from './redis-client.ts';

/** Long for a healthy replica, which confirms within a millisecond, and short for a request. */
const TIMEOUT_MILLISECONDS = 200;
const PAUSE_MILLISECONDS = 5_000;

/**
 * Waits until a replica has the writes of this connection, so that they survive a failover. Without a replica the writes
 * are accepted all the same (min-replicas-to-write decides that), and the next seconds do not wait.
 * @throws AppError 503 when the primary is lost meanwhile
 */
export const createReplicationWait = (redis: QueueRedisClient) => {
  let pausedUntil = 0;
  return async (): Promise<void> => {
    if (performance.now() < pausedUntil) return;
    const replicas = await withRedisTimeout(redis.wait(1, TIMEOUT_MILLISECONDS));
    if (replicas === 0) pausedUntil = performance.now() + PAUSE_MILLISECONDS;
  };
};
