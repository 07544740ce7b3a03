import { unavailable } from '../../errors/app-error.ts';

/** A full page takes 25 ms, so that only a database that does not respond makes a turn wait for this long. */
const MAX_WAIT_MILLISECONDS = 5_000;
/** Work that takes longer waits for the database, and the next one must not wait as long again. */
const MAX_PAUSE_MILLISECONDS = 25;

/**
 * Runs the work of each service one after another. The next one begins after a pause as long as the work took, so
 * that full pages take at most half of the time of a process.
 */
export const createTurns = () => {
  const last = new Map<string, Promise<void>>();
  /** @throws AppError 503 */
  return async <Result>(service: string, work: () => Promise<Result>): Promise<Result> => {
    const deadline = performance.now() + MAX_WAIT_MILLISECONDS;
    const previous = last.get(service);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    last.set(service, ended);
    await previous;
    const started = performance.now();
    try {
      if (started > deadline) throw unavailable('Database overloaded; retry later.');
      return await work();
    } finally {
      setTimeout(end, Math.min(performance.now() - started, MAX_PAUSE_MILLISECONDS));
    }
  };
};
