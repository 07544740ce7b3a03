import type { Log } from './log.ts';

const PERIOD_MILLISECONDS = 60_000;
/** The number of distinct errors that are counted at a time; further ones are logged each time. */
const MAX_ERRORS = 100;

/** Redis appends the hash of the script to its errors, so the same error has many messages. */
const REDIS_ERROR = /^[A-Z]{2,}(?= )/;

const toKey = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  return REDIS_ERROR.exec(message)?.[0] ?? message;
};

/**
 * Logs an error as a warning, and its repetitions once a minute with their number. Otherwise an outage would
 * fill the log with the same line.
 */
export const createErrorLog = (log: Pick<Log, 'warn'>, message: string) => {
  const repetitions = new Map<string, number>();

  const logRepetitions = (key: string, err: unknown): void => {
    const count = repetitions.get(key) ?? 0;
    repetitions.delete(key);
    if (count === 0) return;
    log.warn({ err }, `${message}, repeated ${count} times`);
    startPeriod(key, err);
  };
  const startPeriod = (key: string, err: unknown): void => {
    repetitions.set(key, 0);
    setTimeout(() => logRepetitions(key, err), PERIOD_MILLISECONDS).unref();
  };

  return (err: unknown): void => {
    const key = toKey(err);
    const count = repetitions.get(key);
    if (count !== undefined) {
      repetitions.set(key, count + 1);
      return;
    }
    log.warn({ err }, message);
    if (repetitions.size < MAX_ERRORS) startPeriod(key, err);
  };
};
