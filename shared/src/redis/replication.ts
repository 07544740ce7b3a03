import { unavailable } from '../errors/app-error.ts';
import { withRedisTimeout } from './redis.ts';
import type { RedisClient } from './redis-client.ts';

/** Long for a healthy replica, which confirms within a millisecond, but short for a request. */
const TIMEOUT_MILLISECONDS = 500;
const PAUSE_MILLISECONDS = 5_000;

/** Redis shows the number of good replicas only if min-replicas-to-write and min-replicas-max-lag are set. */
const REQUIRES_REPLICA = /^min_slaves_good_slaves:/m;

/**
 * Waits until a replica has the writes of this connection, so that they survive a failover. If no replica
 * confirms them, min-replicas-to-write decides. With it, the write is rejected, because Redis itself detects
 * a lost replica only after min-replicas-max-lag, and until then a replaced primary would accept writes.
 * Without it, the writes of the next seconds do not wait.
 * @throws AppError 503
 */
export const createReplicationWait = (redis: RedisClient) => {
  let pausedUntil = 0;
  return async (): Promise<void> => {
    if (performance.now() < pausedUntil) return;
    const replicas = await withRedisTimeout(redis.wait(1, TIMEOUT_MILLISECONDS));
    if (replicas > 0) return;
    const replication = await withRedisTimeout(redis.info('replication'));
    if (REQUIRES_REPLICA.test(replication)) throw unavailable('Mail queue unavailable; retry later.');
    pausedUntil = performance.now() + PAUSE_MILLISECONDS;
  };
};
