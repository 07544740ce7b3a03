import { setTimeout as delay } from 'node:timers/promises';

type Options = { intervalMilliseconds: number; onError: (error: unknown) => void };

/** Runs `task` in a loop with a pause after each run, so that runs never overlap. An error does not end the loop. */
export const runPeriodically = (task: () => Promise<unknown>, { intervalMilliseconds, onError }: Options) => {
  const abort = new AbortController();
  const loop = async (): Promise<void> => {
    while (!abort.signal.aborted) {
      await task().catch(onError);
      await delay(intervalMilliseconds, undefined, { signal: abort.signal }).catch(() => undefined);
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
