import { setTimeout as delay } from 'node:timers/promises';

type Options = { intervalMilliseconds: number; onError: (error: unknown) => void };

const MAX_PAUSE_MILLISECONDS = 4_000;

/**
 * Runs `task` in a loop with a pause after each run, so that runs never overlap. An error does not end the loop; the pause
 * doubles with each error in succession, up to 4 s.
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
