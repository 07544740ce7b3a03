import { AppError } from '@platform/shared/errors/app-error';
import type { Log } from '@platform/shared/log/log';
import { withRedisTimeout } from '@platform/shared/redis/redis';
import type { RedisClient } from '@platform/shared/redis/redis-client';
import type { TokenPairIds } from './session.ts';

/** The connection was lost while Postgres executed the statement, by the errors of node-postgres and of the server. */
const LOST_MESSAGES = /Query read timeout|Connection terminated(?! due to)/;
const LOST_CODES = /^(ECONNRESET|EPIPE|ETIMEDOUT|08|57P01|57P02)/;

/**
 * Whether the failed statement may have been committed, or may be later: a commit waits for the synchronous standby. Not
 * after an error before the statement was sent, so that no key is written for every request that finds no connection.
 */
export const isOutcomeUnknown = (error: unknown): boolean => {
  if (!(error instanceof AppError) || !(error.cause instanceof Error)) return false;
  const { cause } = error;
  const code = 'code' in cause ? String(cause.code) : '';
  return LOST_MESSAGES.test(cause.message) || LOST_CODES.test(code);
};

const toKey = (refreshTokenId: string): string => `undelivered-refresh-token:${refreshTokenId}`;

/**
 * Remembers refresh tokens that never left the service, because their rotation failed with an unknown outcome. Best
 * effort: without Redis nothing is remembered.
 */
export const createUndeliveredTokenStore = (redis: RedisClient, log: Log) => {
  const logFailure = (err: unknown): void => log.warn({ err }, 'undelivered refresh tokens unavailable');
  return {
    /** After a failed rotation to these ids; an error that leaves no doubt about the outcome records nothing. */
    addIfOutcomeUnknown: async (
      { refreshTokenId, refreshTokenExpiredAt }: TokenPairIds,
      error: unknown,
    ): Promise<void> => {
      if (!isOutcomeUnknown(error)) return;
      const EX = Math.ceil((refreshTokenExpiredAt.getTime() - Date.now()) / 1_000);
      await withRedisTimeout(redis.set(toKey(refreshTokenId), '1', { EX })).catch(logFailure);
    },

    has: async (refreshTokenId: string): Promise<boolean> =>
      (await withRedisTimeout(redis.get(toKey(refreshTokenId))).catch(logFailure)) === '1',
  };
};

export type UndeliveredTokenStore = ReturnType<typeof createUndeliveredTokenStore>;
