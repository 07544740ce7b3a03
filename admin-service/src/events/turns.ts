import { unavailable } from '@platform/shared/errors/app-error';

/** A full page takes 25 ms, so that only a database that does not respond makes a turn wait for this long. */
const MAX_WAIT_MILLISECONDS = 5_000;

/** Runs the work of each service one after another. */
export const createTurns = (getTime = () => performance.now()) => {
  const last = new Map<string, Promise<unknown>>();
  /** @throws AppError 503 */
  return <Result>(service: string, work: () => Promise<Result>): Promise<Result> => {
    const deadline = getTime() + MAX_WAIT_MILLISECONDS;
    const run = (): Promise<Result> => {
      if (getTime() > deadline) throw unavailable('Database overloaded; retry later.');
      return work();
    };
    const turn = (last.get(service) ?? Promise.resolve()).then(run, run);
    last.set(service, turn);
    return turn;
  };
};
