import { setTimeout as delay } from 'node:timers/promises';

type Options = { intervalMilliseconds: number; onError: (error: unknown) => void };

const MAX_PAUSE_MILLISECONDS = 4_000;

/**
 * Runs `task` in a loop with a pause after each run, so that runs never overlap. An error does not end the
 * loop. The pause doubles with each consecutive error, up to 4 s.
 */
export const runPeriodically = (task: () => Promise<unknown>, { intervalMilliseconds, onError }: Options) => {
  const abort = new AbortController();
  const loop = async (): Promise<void> => {
    let pause = intervalMilliseconds;
    while (!abort.signal.aborted) {
      try {
        await task();
        pause = intervalMilliseconds;
      } catch (error) {
        onError(error);
        pause = Math.max(intervalMilliseconds, Math.min(2 * pause, MAX_PAUSE_MILLISECONDS));
      }
      await delay(pause, undefined, { signal: abort.signal }).catch(() => undefined);
    }
  };
  const running = loop();
  return {
    /** Resolves when the current run has ended. */
    stop: (): Promise<void> => {
      abort.abort();
      return running;
    },
  };
};

/** Runs work that no response waits for. Its errors are only reported. */
export const createBackground = (onError: (error: unknown) => void) => {
  const pending = new Set<Promise<void>>();
  return {
    run: (work: () => Promise<unknown>): void => {
      const ended = work()
        .then(() => undefined, onError)
        .finally(() => pending.delete(ended));
      pending.add(ended);
    },
    settle: async (): Promise<void> => {
      await Promise.all(pending);
    },
  };
};

export type Background = ReturnType<typeof createBackground>;

/** Rejects with `new Error(message)` if `promise` has not settled after `milliseconds`. */
export const withTimeout = <Result>(
  promise: Promise<Result>,
  milliseconds: number,
  message: string,
): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), milliseconds);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
};
