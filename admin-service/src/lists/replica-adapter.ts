import { query } from '@platform/shared/db/database';
import { isDatabaseUnreachable } from '@platform/shared/db/database-errors';
import type { Log } from '@platform/shared/log/log';
import type { ReadConnections } from '../infrastructure.ts';
import type { Read } from './lists.ts';

/** Otherwise each read would wait for the timeout of the replica. */
const RETRY_AFTER_MILLISECONDS = 5_000;

/** Reads from the replica if there is one, and from the primary while the replica is unreachable. */
export const createRead = ({ primary, replica }: ReadConnections, log: Pick<Log, 'warn'>): Read => {
  if (!replica) return (statement) => query(primary, statement);
  let retryAt = 0;
  return async (statement) => {
    if (performance.now() < retryAt) return await query(primary, statement);
    try {
      return await query(replica, statement);
    } catch (error) {
      if (!isDatabaseUnreachable(error)) throw error;
      retryAt = performance.now() + RETRY_AFTER_MILLISECONDS;
      log.warn({ err: error }, 'read replica unreachable; reading from the primary');
      return await query(primary, statement);
    }
  };
};
