import pg from 'pg';
import { AppError, unavailable } from '../errors/app-error.ts';

/**
 * Classes 08 (connection), 53 (resources), 57 (operator intervention), lock_timeout, and read-only servers.
 */
const UNAVAILABLE = /^(08|53|57|55P03|25006)/;
const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(HOST|NET)(UNREACH|DOWN))/;
const CLIENT_MESSAGES =
  /timeout expired|Timeout acquiring a connection|Connection terminated|Query read timeout|not queryable/;
/** The statement was too slow or waited too long for a lock. Another server would not run it faster. */
const SLOW = new Set(['57014', '55P03']);

export const getErrorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/**
 * Whether a prepared statement returns other types than when it was planned, because somebody has changed a
 * column. 0A000 has other causes as well, and the message is translated.
 */
export const isPlanOutdated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery';

/** Converts the errors of an unavailable Postgres to 503; returns other errors unchanged. */
export const translateError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  const code = getErrorCode(error);
  const isUnavailable = UNAVAILABLE.test(code) || NETWORK.test(code) || CLIENT_MESSAGES.test(error.message);
  return isUnavailable ? unavailable('Database unavailable; retry later.', error) : error;
};

/** Whether `error` is a 503 because the server cannot be reached. */
export const isDatabaseUnreachable = (error: unknown): boolean =>
  error instanceof AppError && error.cause instanceof Error && !SLOW.has(getErrorCode(error.cause));

/** Whether `error` is a unique violation of this constraint or index. */
export const isUniqueViolation = (error: unknown, constraint: string): boolean =>
  error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === constraint;
